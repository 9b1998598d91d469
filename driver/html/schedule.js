//===- schedule.js - How each op runs ------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How each op runs: what was decided, and the loops that are made of it.

function drawSchedule(section, def) {
  if (def.ops.length === 0) {
    section.append(html(
        'p', {class: 'dim', text: 'Nothing was scheduled: every op is loops as it is defined.'}));
    return;
  }
  section.append(html('p', {
    class: 'dim',
    text:
        'The loops that the strategy asks for, from the outermost inwards; what is done at ' +
        'their ends is left out. ' +
            'The stages tiled, vector and memref have the loops themselves.'
  }));
  const places = [...new Set(def.ops.map(op => op.at))];
  let isFirst = true;
  for (const place of places) {
    section.append(html(
        'h3', {},
        place ? html('button',
                     {type: 'button', onclick: () => selectPlace(place), text: nameLine(place)})
              : 'no place',
        ' ', html('code', {text: place ? getSourceText(place) : ''})));
    const statement = def.statements.find(s => s.begin[0] === place);
    const said = [...new Set(
        (statement ? statement.remarks : []).filter(r => /^\[(raise|loops)\]/.test(r)))];
    if (said.length > 0)
      section.append(html('pre', {class: 'dim', text: said.join('\n')}));
    // The same op is often there for the remainder as well.
    const ops = new Map();
    for (const op of def.ops.filter(o => o.at === place)) {
      const key = op.strategy + '\n' + op.nest;
      ops.set(key, {op, count: (ops.get(key) || {count: 0}).count + 1});
    }
    for (const {op, count} of ops.values()) {
      section.append(
          html('details', {
            open: isFirst || op.class && /product|contraction|window/.test(op.class) && ops.size < 8
          },
               html('summary', {text: op.strategy + (count > 1 ? ` (${count} times)` : '')}),
               html('pre', {text: op.nest, tabindex: '0', 'aria-label': 'Loops of ' + op.op})));
      isFirst = false;
    }
  }
}
