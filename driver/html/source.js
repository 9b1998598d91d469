//===- source.js - The source with what was inferred ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The source: names say on hover and focus what was inferred of them, lines
// lead to what became of them.

const keywords = new Set(
    ['def', 'let', 'where', 'in', 'exists', 'import', 'private', 'attr', 'einsum', 'max', 'min']);

function describeTensor(tensor) {
  const shape = tensor.dims.length === 0 ? '' : '(' + tensor.dims.join(', ') + ')';
  const sizes = tensor.shape.length === 0 ? '' : '\n' + tensor.shape.join(' × ') + ' elements';
  return `${tensor.role} ${tensor.name}: ${tensor.type}${shape}${sizes}\n${
      formatBytes(tensor.bytes)}`;
}

function describeIndex(index) {
  return `index ${index.name}, ${index.size} values${index.reduced ? ', reduced' : ''}\n${
      index.range}`;
}

// What a name means at a place of a def; null if it is none that we know.
function findName(def, statement, name, isInText) {
  const index = statement && statement.indices.find(i => i.name === name);
  if (index)
    return {tip: describeIndex(index), reduced: index.reduced};
  if (isInText)
    return null;
  const tensor = def.tensors.find(t => t.name === name);
  if (tensor)
    return {tip: describeTensor(tensor)};
  if (Object.hasOwn(def.sizes, name))
    return {tip: `size ${name} = ${def.sizes[name]}`};
  return null;
}

function isInside(line, column, range) {
  const [a, b] = [range.begin, range.end];
  return (line > a[0] || (line === a[0] && column >= a[1])) &&
         (line < b[0] || (line === b[0] && column < b[1]));
}

// The parts of a line: texts, and names with what is known of them.
function splitLine(text, line) {
  const parts = [];
  const pattern = /#.*|"(?:[^"\\]|\\.)*"|[\p{L}_][\p{L}\p{N}_]*/gu;
  let last = 0;
  const add = (begin, end, found) => {
    if (begin > last)
      parts.push(text.slice(last, begin));
    parts.push(found ? html('span', {class: 'name' + (found.reduced ? ' reduced' : '')},
                            text.slice(begin, end))
                     : text.slice(begin, end));
    if (found)
      withTip(parts[parts.length - 1], found.tip);
    last = end;
  };
  const look = (begin, name, isInText) => {
    const def = data.defs.find(d => isInside(line, begin, d));
    if (!def || (!isInText && keywords.has(name)))
      return;
    const statement = def.statements.find(s => isInside(line, begin, s));
    const found = findName(def, statement, name, isInText);
    if (found)
      add(begin, begin + name.length, found);
  };
  for (const match of text.matchAll(pattern)) {
    const word = match[0];
    if (word.startsWith('#'))
      break;
    if (!word.startsWith('"')) {
      look(match.index, word, false);
      continue;
    }
    // An einsum string: its labels are letters, or words between blanks.
    const hasWords = /[\p{L}_]\s+[\p{L}_]/u.test(word);
    for (const label of word.matchAll(hasWords ? /[\p{L}_][\p{L}\p{N}_]*/gu : /\p{L}/gu))
      look(match.index + label.index, label[0], true);
  }
  parts.push(text.slice(last));
  return parts;
}

// `place` is the number of a line among all files, 0 for none.
function makeLine(number, place, parts, id) {
  return html('div', {class: place ? 'linked' : null, 'data-place': place || null, id},
              html('span', {class: 'number', 'aria-hidden': 'true', text: number}), parts);
}

// Where a line is, for people.
function nameLine(place) {
  for (const file of data.sources)
    if (place >= file.first && place < file.first + file.lines.length)
      return (data.sources.length > 1 ? file.name + ', ' : '') + 'line ' + (place - file.first + 1);
  return 'line ' + place;
}

function getSourceText(place) {
  for (const file of data.sources)
    if (place >= file.first && place < file.first + file.lines.length)
      return file.lines[place - file.first].trim();
  return '';
}

function drawSource(section) {
  section.append(html('p', {
    class: 'dim',
    text:
        'Dotted names say what was inferred of them; sizes that are not compiled in count ' +
        'as 256. ' +
            'A line, picked, shows what became of it in every stage below.'
  }));
  for (const file of data.sources) {
    if (data.sources.length > 1)
      section.append(html('h3', {text: file.name}));
    const code = html(
        'div', {class: 'scroll code mono', role: 'group', 'aria-label': 'Source of ' + file.name});
    file.lines.forEach((text, i) => {
      const place = file.first + i;
      const line =
          makeLine(i + 1, places.has(place) ? place : 0, splitLine(text, place), 'source-' + place);
      code.append(line);
    });
    section.append(code);
    if (file.omitted)
      section.append(
          html('p', {class: 'dim', text: formatCount(file.omitted, 'more line') + ' not shown.'}));
    makeGroup(code, '.linked, .name', item => {
      const line = item.closest('.linked');
      if (line)
        selectPlace(Number(line.dataset.place));
    });
  }
}
