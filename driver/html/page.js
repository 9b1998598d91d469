//===- page.js - The page and its controls -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page: its sections, the def that is shown, the search, light and dark.

const main = byId('main');

function makeSection(id, title) {
  byId('nav').append(html('li', {}, html('a', {href: '#' + id, text: title})));
  const section = html('section', {id, 'aria-labelledby': id + '-title'},
                       html('h2', {id: id + '-title', text: title}));
  main.append(section);
  return section;
}

function empty(section) {
  while (section.children.length > 1)
    section.lastChild.remove();
}

// --- Light and dark ---

const themes = ['auto', 'light', 'dark'];
function showTheme(theme) {
  if (theme === 'auto')
    delete document.documentElement.dataset.theme;
  else
    document.documentElement.dataset.theme = theme;
  byId('theme').textContent = 'Colours: ' + theme;
}
let theme = 'auto';
try {
  theme = localStorage.getItem('einc-theme') || 'auto';
} catch (error) {
  // A page from a file may not keep anything.
}
if (!themes.includes(theme))
  theme = 'auto';
showTheme(theme);
byId('theme').addEventListener('click', () => {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length];
  showTheme(theme);
  try {
    localStorage.setItem('einc-theme', theme);
  } catch (error) {
    // See above.
  }
});

// --- Search ---

function collectHits(wanted) {
  const hits = [], most = 200;
  let count = 0;
  const look = (where, texts, pick) => texts.forEach((text, i) => {
    if (!text.toLowerCase().includes(wanted))
      return;
    if (++count <= most)
      hits.push([`${where}:${i + 1}: ${text.trim()}`, () => pick(i)]);
  });
  const goTo = id => {
    const element = byId(id);
    element.scrollIntoView({block: 'center'});
    element.setAttribute('tabindex', '-1');
    element.focus({preventScroll: true});
  };
  for (const file of data.sources || [])
    look('source', file.lines, i => {
      goTo('source-' + (file.first + i));
      if (places.has(file.first + i))
        selectPlace(file.first + i);
    });
  for (const stage of data.stages || [])
    look(stage.name, stage.text.split('\n'), i => showStageLine(stage.name, i));
  for (const def of defs)
    look('remark', (def.remarks || []).concat(...(def.statements || []).map(s => s.remarks)),
         () => {
           byId('def').value = String(defs.indexOf(def));
           showDef(def);
           goTo('remarks');
         });
  return {hits, count};
}

function search() {
  const wanted = byId('search').value.trim().toLowerCase(), results = byId('results');
  results.replaceChildren();
  results.hidden = wanted === '';
  if (wanted === '')
    return;
  const {hits, count} = collectHits(wanted);
  results.append(html('p', {
    class: 'dim',
    text: formatCount(count, 'hit') +
              (count > hits.length ? `, of which the first ${hits.length} are listed` : '') + '.'
  }));
  for (const [text, pick] of hits)
    results.append(html('button', {type: 'button', text, onclick: pick}));
  makeGroup(results, 'button');
}

byId('search').addEventListener('input', search);
byId('search').addEventListener('keydown', e => {
  const first = byId('results').querySelector('button');
  if (first && (e.key === 'Enter' || e.key === 'ArrowDown')) {
    e.preventDefault();
    first.focus();
    if (e.key === 'Enter')
      first.click();
  } else if (e.key === 'Escape') {
    byId('search').value = '';
    search();
  }
});

// --- A def ---

function drawSummary(section, def) {
  const sizes = Object.entries(def.sizes).map(([name, size]) => `${name} = ${size}`).join(', ');
  section.append(html('p', {
    text: (sizes ? `Sizes: ${sizes}${
                       def.assumed ? '; those that --bind does not give are assumed' : ''}. `
                 : '') +
              `In all ${formatNumber(def.operations)} operations on arguments of ${
                  formatBytes(def.bytes)}` +
              (def.bytes > 0 ? `, ${formatNumber(def.operations / def.bytes)} operations a byte.`
                             : '.')
  }));
  if (def.statements.length > 0)
    section.append(makeTable('Statements',
                             [
                               {
                                 name: 'line',
                                 text: true,
                                 get: s => html('button', {
                                   type: 'button',
                                   text: nameLine(s.begin[0]),
                                   onclick: () => selectPlace(s.begin[0])
                                 })
                               },
                               {
                                 name: 'statement',
                                 text: true,
                                 wide: true,
                                 get: s => html('code', {text: s.text})
                               },
                               {name: 'operations', get: s => formatNumber(s.operations)},
                               {name: 'bytes', get: s => formatBytes(s.bytes)},
                               {
                                 name: 'operations a byte',
                                 get: s => s.bytes > 0 ? formatNumber(s.operations / s.bytes) : ''
                               },
                             ],
                             def.statements));
}

function drawRemarks(section, def) {
  const list = (title, remarks) => {
    if (remarks.length > 0)
      section.append(html('details', {}, html('summary', {text: title}),
                          html('pre', {text: remarks.join('\n'), tabindex: '0'})));
  };
  for (const statement of def.statements)
    list(nameLine(statement.begin[0]) + ': ' + statement.text, statement.remarks);
  list('of ' + def.def, def.remarks);
}

// What is MLIR has no defs; what was found of it is shown all the same.
const defs = data.points            ? data.points
             : data.defs.length > 0 ? data.defs
                                    : [{
                                        def: 'the module',
                                        sizes: {},
                                        statements: [],
                                        operations: 0,
                                        bytes: 0,
                                        tensors: [],
                                        remarks: data.remarks,
                                        groups: data.groups || [],
                                        memory: data.memory || { steps: [], temporaries: [] }
                                      }];
let drawers = [];

function showDef(def) {
  for (const [section, draw] of drawers) {
    empty(section);
    draw(section, def);
  }
}

const machine = data.machine;
byId('about').textContent =
    `einc ${data.einc}${data.flags ? ' ' + data.flags : ''}, ${machine.cpu}, ${machine.triple}, ` +
    `vectors of ${machine.vector_bits} bits`;
if (data.points) {
  drawers = [[makeSection('bench', 'Measurements'), drawBench]];
} else {
  const isProgram = data.defs.length > 0;
  if (isProgram)
    drawers.push([makeSection('summary', 'Summary'), drawSummary]);
  drawSource(makeSection('source', 'Source'));
  if (isProgram)
    drawers.push([makeSection('tree', 'Contraction tree'), drawTrees]);
  drawers.push([makeSection('roofline', 'Roofline'), drawRoofline],
               [makeSection('schedule', 'Schedule'), drawSchedule],
               [makeSection('memory', 'Memory over time'), drawMemory]);
  drawStages(makeSection('stages', 'Stages'));
  drawers.push([makeSection('remarks', 'Remarks'), drawRemarks]);
}
const chooser = byId('def');
chooser.append(...defs.map((def, i) => html('option', {value: String(i), text: def.def})));
chooser.addEventListener('change', () => showDef(defs[Number(chooser.value)]));
byId('def-label').hidden = defs.length < 2;
// The last is the main one, as everywhere in einc.
chooser.value = String(defs.length - 1);
showDef(defs[defs.length - 1]);
