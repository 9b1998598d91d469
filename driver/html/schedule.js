//===- schedule.js - The nests that statements became --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nests that statements became, what these take, and the next best schedules.

// The ops of all nests, each at the first of its lines.
function getOps(def) {
  return def.groups.flatMap(group => group.nest.filter(entry => entry.kind === 'op'))
      .map(op => ({...op, at: op.at[0] || 0}));
}

function describeLoop(loop) {
  return `for ${loop.index}` +
         (loop.extent === undefined ? ''
          : loop.exact              ? ` in 0..${loop.extent}`
                                    : `, at most ${loop.extent},`) +
         (loop.step === 1 ? '' : ` by ${loop.step}`) + (loop.threads ? ', in threads' : '') +
         (loop.again ? ', for what is left over: the same again' : '');
}

// The lines of a nest. Alone, an op is the loops that become of it.
function drawNest(def, group) {
  const ops = group.nest.filter(entry => entry.kind === 'op');
  const isAlone = ops.length === group.nest.length;
  const lines = [];
  let last = 0;
  group.nest.forEach((entry, i) => {
    const blanks = '  '.repeat(isAlone && i > 0 ? last : entry.depth);
    if (entry.kind === 'loop')
      lines.push(blanks + describeLoop(entry));
    else if (entry.kind === 'branch')
      lines.push(blanks + (entry.again               ? 'if that was not right: the same again'
                           : entry.branch === 'then' ? 'either, as sizes are'
                                                     : 'or (not counted)'));
    else if (entry.kind === 'points')
      lines.push(blanks + 'one point after the other');
    else if (isAlone && i === 0) {
      lines.push(entry.nest);
      last = entry.nest.split('\n').pop().search(/\S/) / 2;
    } else {
      const share = entry.cycles !== undefined && group.cycles > 0
          ? `; ${Math.round(100 * entry.cycles / group.cycles)} %, ${entry.bound}`
          : '';
      const statement = def.statements[entry.statements[0]];
      const isCopy = entry.op === 'linalg.transpose' &&
                     !(statement && statement.text.startsWith(entry.result));
      lines.push(blanks + (isCopy ? 'copy ' : '') + (entry.result || entry.op) +
                 (statement ? `, line ${entry.statements.map(s => def.statements[s].line)}` : '') +
                 `  # ${entry.brief}${share}`);
    }
  });
  return lines.join('\n');
}

// What the ops of a group take for what, and move from where, in all.
function addUp(group, member) {
  const sums = new Map();
  for (const entry of group.nest)
    for (const [name, number] of Object.entries(entry.counted && entry[member] || {}))
      sums.set(name, (sums.get(name) || 0) + number);
  return [...sums].filter(([, number]) => number >= 1);
}

function drawGroup(section, def, group) {
  const ops = group.nest.filter(entry => entry.kind === 'op');
  const title = ops.length === 1 ? ops[0].class : formatCount(ops.length, 'op') + ' in one nest';
  const price = group.cycles === undefined
      ? ', not priced'
      : `: ${formatNumber(group.cycles)} cycles, bound by ${group.bound}`;
  const terms = addUp(group, 'terms').sort((a, b) => b[1] - a[1]).slice(0, 6);
  const moved = addUp(group, 'bytes');
  const longest =
      ops.reduce((a, b) => (b.cycles || 0) > (a ? a.cycles || 0 : -1) ? b : a, undefined);
  const nest = html('pre', {
    text: drawNest(def, group),
    tabindex: '0',
    'aria-label': 'Loops of ' + title
  });
  const body = [nest];
  if (group.cycles !== undefined)
    body.push(html('p', {
      class: 'dim',
      text: 'Cycles that overlap: ' +
                terms.map(([name, cycles]) => `${name} ${formatNumber(cycles)}`).join(', ') +
                '. Moved: ' +
                (moved.map(([name, bytes]) =>
                               `${formatBytes(Math.round(bytes))} from and to ${name}`)
                     .join(', ') ||
                 'nothing, all of it is in L1') +
                '.'
    }));
  if (longest && longest.others && longest.others.length > 0)
    body.push(makeTable('Next best schedules',
                        [
                          {name: 'times the cycles', get: o => o.ratio.toFixed(2)},
                          {
                            name: 'more for',
                            text: true,
                            get: o => o.ratio < 1 ? 'a rule leaves it out' : o.term || 'nothing'
                          },
                          {name: 'schedule', text: true, wide: true, get: o => o.strategy},
                        ],
                        longest.others));
  section.append(html('details', {open: true}, html('summary', {text: title + price}), body));
}

function drawSchedule(section, def) {
  if (def.groups.length === 0) {
    section.append(html(
        'p', {class: 'dim', text: 'Nothing was scheduled: every op is loops as it is defined.'}));
    return;
  }
  section.append(html('p', {
    class: 'dim',
    text:
        'The nests that statements became, from the outermost loop inwards, with what the model ' +
        'of the machine predicts of one thread; what is done at the ends of loops is left out. ' +
            'The stages tiled, vector and memref have the loops themselves.'
  }));
  let last = '';
  for (const group of def.groups) {
    const numbers = group.statements;
    const title = numbers.join() || 'none';
    if (title !== last)
      section.append(html(
          'h3', {},
          numbers.map(number => {
            const statement = def.statements[number], place = statement.begin[0];
            return html('div', {},
                        html('button', {
                          type: 'button',
                          onclick: () => selectPlace(place),
                          text: nameLine(place)
                        }),
                        ' ', html('code', {text: statement.text}));
          })));
    last = title;
    for (const number of numbers) {
      const said =
          [...new Set(def.statements[number].remarks.filter(r => /^\[(raise|loops)\]/.test(r)))];
      if (said.length > 0 && numbers.length === 1)
        section.append(html('pre', {class: 'dim', text: said.join('\n')}));
    }
    drawGroup(section, def, group);
  }
}
