//===- roofline.js - The roofline plot -----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations a byte to the right, operations a cycle upwards: what computing
// and moving allow, and where each op is (Williams, Waterman and Patterson).

const classColors = [
  [/product|contraction/, '--c1', 'circle'],
  [/window/, '--c4', 'circle'],
  [/reduction/, '--c2', 'triangle'],
  [/./, '--c3', 'square'],
];

function getLook(name) { return classColors.find(([pattern]) => pattern.test(name)); }

function drawShape(kind, x, y, size, color, isFilled) {
  const style = `fill: ${isFilled ? `var(${color})` : 'var(--panel)'}; stroke: var(${
      color}); stroke-width: 2`;
  if (kind === 'circle')
    return svg('circle', {class: 'shape', cx: x, cy: y, r: size, style});
  const paths = {
    triangle: `M${x},${y - size} L${x + size},${y + size} L${x - size},${y + size} Z`,
    square: `M${x - size},${y - size} h${2 * size} v${2 * size} h${- 2 * size} Z`,
    diamond:
        `M${x},${y - size - 2} L${x + size + 2},${y} L${x},${y + size + 2} L${x - size - 2},${y} Z`,
  };
  return svg('path', {class: 'shape', d: paths[kind], style});
}

// Points are {x, y, label, tip, color, kind, isFilled}; `hertz` is how many
// cycles a second has, if that was measured.
function makeRoofline(points, bits, hertz) {
  const machine = data.machine, rates = machine.operations_per_cycle;
  const peak = Math.max(...bits.map(b => rates[b]));
  const x = {...getRange(points.map(p => p.x), 0.1, 100), name: 'operations a byte moved'};
  const y = {
    ...getRange(points.map(p => p.y), peak / 100, peak * 1.5),
    name: hertz ? 'operations a cycle (GFLOP/s)' : 'operations a cycle'
  };
  if (hertz)
    y.margin = 112;
  if (hertz)
    y.format = value =>
        formatTick(value) + ' (' + formatTick(Number((value * hertz / 1e9).toPrecision(2))) + ')';
  const plane = makePlane(760, 420, x, y);
  const clampX = value => Math.min(Math.max(value, x.low), x.high);
  machine.levels.forEach(level => {
    if (level.name !== 'memory' && !level.capacity)
      return;
    const rate = level.bytes_per_cycle;
    const from = clampX(y.low / rate), to = clampX(peak / rate);
    if (from >= to)
      return;
    plane.root.append(svg('path', {
      class: 'slope',
      d: `M${plane.getX(from)},${plane.getY(from * rate)} L${plane.getX(to)},${
          plane.getY(to * rate)}`
    }));
    // Along the line, from its lower end, where there are few ops.
    const [x1, y1, x2, y2] =
        [plane.getX(from), plane.getY(from * rate), plane.getX(to), plane.getY(to * rate)];
    const angle = Math.atan2(y2 - y1, x2 - x1) * 180 / Math.PI;
    plane.root.append(svg('text', {
      class: 'halo dim',
      transform: `translate(${x1},${y1}) rotate(${angle}) translate(10,-5)`,
      text: `${level.name}, ${rate} bytes a cycle`
    }));
  });
  const steepest = Math.max(...machine.levels.map(l => l.bytes_per_cycle));
  bits.forEach(b => {
    // Below the line, if an op would be on the text above it.
    const isTaken = points.some(p => plane.getX(p.x) > plane.right - 320 &&
                                     Math.abs(plane.getY(p.y) - plane.getY(rates[b])) < 14);
    plane.root.append(
        svg('path', {
          class: 'roof',
          d: `M${plane.getX(clampX(rates[b] / steepest))},${plane.getY(rates[b])} H${plane.right}`
        }),
        svg('text', {
          class: 'halo',
          x: plane.right - 4,
          y: plane.getY(rates[b]) + (isTaken ? 22 : -6),
          'text-anchor': 'end',
          text: `${rates[b]} operations a cycle, ${b} bits` +
                    (hertz ? `, ${formatNumber(rates[b] * hertz / 1e9)} GFLOP/s` : '')
        }));
  });
  // What is in one place is one item, which says all of it.
  const spots = new Map();
  for (const point of points) {
    const key = [plane.getX(point.x), plane.getY(point.y)].map(v => Math.round(v / 4)).join() +
                point.kind + point.isFilled;
    if (!spots.has(key))
      spots.set(key, []);
    spots.get(key).push(point);
  }
  for (const all of spots.values()) {
    const point = all[0];
    const item = svg('g', {class: 'item', 'data-place': point.place},
                     drawShape(point.kind, plane.getX(point.x), plane.getY(point.y), 6, point.color,
                               point.isFilled));
    if (all.length > 1)
      item.append(svg('text', {
        class: 'halo',
        x: plane.getX(point.x) + 8,
        y: plane.getY(point.y) + 18,
        'aria-hidden': 'true',
        text: '×' + all.length
      }));
    const shown = all.slice(0, 6).map(p => p.tip).join('\n\n');
    plane.root.append(
        withTip(item, shown + (all.length > 6 ? `\n\nand ${all.length - 6} more` : ''), 'img'));
  }
  plane.root.setAttribute('role', 'group');
  plane.root.setAttribute('aria-label', 'Roofline plot');
  makeGroup(plane.root, '.item', item => {
    if (item.dataset.place && window.selectPlace)
      selectPlace(Number(item.dataset.place));
  });
  return html('div', {class: 'scroll'}, plane.root);
}

function makeLegend(entries) {
  return html('ul', {class: 'legend'},
              entries.map(([kind, color, isFilled, text]) =>
                              html('li', {},
                                   svg('svg', {width: 18, height: 16, 'aria-hidden': 'true'},
                                       drawShape(kind, 9, 8, 5, color, isFilled)),
                                   ' ' + text)));
}

function drawRoofline(section, def) {
  // Bytes are those of the farthest level that an op moves any from, and those
  // of its arrays if L1 holds them.
  const all = getOps(def).filter(o => o.cycles !== undefined).map(o => {
    const far = Object.entries(o.bytes).filter(([, bytes]) => bytes >= 1).pop();
    return {...o, level: far ? far[0] : 'L1', moved: far ? far[1] : o.array_bytes};
  });
  const ops = all.filter(o => o.operations > 0 && o.moved > 0 && o.cycles > 0);
  const bits =
      [...new Set(ops.map(o => o.element_bits))].filter(b => data.machine.operations_per_cycle[b]);
  if (ops.length === 0) {
    section.append(html('p', {class: 'dim', text: 'No op has operations that are counted.'}));
    return;
  }
  const getRate = op => op.operations / op.cycles;
  const points = ops.map(op => {
    const [, color, kind] = getLook(op.class);
    return {
      x: op.operations / op.moved,
      y: getRate(op),
      color,
      kind,
      isFilled: !op.fused,
      place: op.at,
      tip: `${nameLine(op.at)}: ${op.class}${op.fused ? ', in another\'s tiles' : ''}\n${
               op.strategy}\n` +
               `${formatNumber(op.operations)} operations, ${
                   formatBytes(Math.round(op.moved))} from and to ${op.level}\n` +
               `${formatNumber(getRate(op))} operations a cycle: bound by ${op.bound}`
    };
  });
  const measured =
      (def.statements.map(
           s => ({...s, name: nameLine(s.begin[0]) + ': ' + s.text, place: s.begin[0]})))
          .concat([{...def, name: 'all of ' + def.def}])
          .filter(s => s.measured && s.operations > 0 && s.bytes > 0);
  const hertz = def.hertz;
  if (hertz)
    for (const what of measured) {
      const rate = what.measured.operations / what.measured.seconds;
      points.push({
        x: what.measured.operations / what.measured.bytes,
        y: rate / hertz,
        color: '--c6',
        kind: 'diamond',
        isFilled: !what.place,
        place: what.place,
        tip: `${what.name}\nmeasured ${formatSeconds(what.measured.seconds)}: ${
                 formatNumber(rate / 1e9)} GFLOP/s, ` +
                 `${formatNumber(rate / hertz)} operations a cycle`
      });
    }
  section.append(html('p', {
    text:
        'An op of the program as it is compiled is where the model of one thread has it, with ' +
        'the bytes of the farthest level of memory that it moves any from. What is computed in ' +
        'the tiles of another op is counted beside that.' +
            (hertz ? ' Diamonds are measured; a cycle is taken from the measured peak.' : '')
  }));
  const classes = [...new Set(ops.map(o => getLook(o.class)))];
  const names = new Map([
    ['--c1', 'products'], ['--c4', 'windows'], ['--c2', 'reductions'],
    ['--c3', 'elementwise and other']
  ]);
  section.append(makeLegend(classes.map(([, color, kind]) => [kind, color, true, names.get(color)])
    .concat(ops.some(o => o.fused) ? [['square', '--c3', false, 'hollow: in tiles of another']]
                                   : [])
    .concat(hertz ? [['diamond', '--c6', true, 'measured, the def'],
                      ['diamond', '--c6', false, 'measured, a statement alone']]
                   : [])));
  section.append(html('figure', {}, makeRoofline(points, bits, hertz)));
  const rows = all;
  section.append(html('details', {},
                      html('summary', {text: `The ${formatCount(rows.length, 'op')} as a table`}),
                      html(
                          'div', {class: 'body'},
                          makeTable('Ops of the roofline',
                                    [
                                      {name: 'where', text: true, get: o => nameLine(o.at)},
                                      {
                                        name: 'class',
                                        text: true,
                                        get: o => o.class + (o.fused ? ', fused' : '')
                                      },
                                      {name: 'operations', get: o => formatNumber(o.operations)},
                                      {name: 'bytes moved', get: o => formatNumber(o.moved)},
                                      {name: 'from and to', text: true, get: o => o.level},
                                      {
                                        name: 'copies',
                                        get: o => o.copied_bytes ? formatNumber(o.copied_bytes) : ''
                                      },
                                      {
                                        name: 'operations a byte',
                                        get: o => o.moved ? formatNumber(o.operations / o.moved)
                                                          : ''
                                      },
                                      {name: 'cycles', get: o => formatNumber(o.cycles)},
                                      {name: 'bound by', text: true, get: o => o.bound},
                                    ],
                                    rows))));
  if (measured.length > 0)
    section.append(
        html('h3', {text: 'Measured'}),
        makeTable(
            'Measured times',
            [
              {name: 'what', text: true, wide: true, get: s => s.name},
              {name: 'median', get: s => formatSeconds(s.measured.seconds)},
              {
                name: 'GFLOP/s',
                get: s => formatNumber(s.measured.operations / s.measured.seconds / 1e9)
              },
              {
                name: '% of the peak',
                get: s =>
                    hertz ? (100 * s.measured.operations / s.measured.seconds / def.peak).toFixed(1)
                          : ''
              },
              {name: 'GB/s', get: s => formatNumber(s.measured.bytes / s.measured.seconds / 1e9)},
            ],
            measured));
  for (const note of def.unmeasured || [])
    section.append(html('p', {class: 'dim', text: note}));
}
