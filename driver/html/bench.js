//===- bench.js - Times over sizes ---------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `einc bench`: times over sizes, beside the roofline.

function nameSizes(sizes) {
  return Object.entries(sizes).map(([name, size]) => `${name}=${size}`).join(' ');
}

// Along the size that changes; else point by point.
function getBenchSize(point, names) { return names.length > 0 ? point.sizes[names[0]] : 1; }

function drawBench(section, def) {
  const points = def.points;
  section.append(html('h3', {text: def.def}));
  const names =
      Object.keys(points[0].sizes).filter(n => points.some(p => p.sizes[n] !== points[0].sizes[n]));
  const sizes = points.map(p => getBenchSize(p, names));
  const axis = getRange([], 1, 1);
  axis.low = Math.pow(2, Math.floor(Math.log2(Math.min(...sizes)) - 0.2));
  axis.high = Math.pow(2, Math.ceil(Math.log2(Math.max(...sizes)) + 0.2));
  const times = points.map(p => p.median_seconds);
  const plane = makePlane(760, 380, {
    ...axis,
    base: 2,
    name: names.length > 0 ? names.join(' = ') : 'one size: ' + nameSizes(points[0].sizes)
  },
                          {
                            ...getRange(times, Math.min(...times), Math.max(...times)),
                            name: 'time of a call',
                            format: formatSeconds
                          });
  const line = p => `${plane.getX(getBenchSize(p, names))},${plane.getY(p.median_seconds)}`;
  plane.root.append(svg('path', {
    fill: 'none',
    style: 'stroke: var(--c1); stroke-width: 2',
    d: 'M' + points.map(line).join(' L')
  }));
  const describe = p => `${nameSizes(p.sizes) || 'no sizes'}\nmedian ${
                            formatSeconds(p.median_seconds)} of ${formatCount(p.calls, 'call')}, ` +
                        `fastest ${formatSeconds(p.fastest_seconds)}` +
                        (p.gflops === undefined ? '' : `\n${formatNumber(p.gflops)} GFLOP/s`) +
                        (p.percent_of_peak === undefined
                             ? ''
                             : `, ${p.percent_of_peak.toFixed(1)} % of the measured peak`) +
                        `\n${formatNumber(p.gbytes_per_second)} GB/s`;
  for (const point of points)
    plane.root.append(withTip(svg('g', {class: 'item'},
                                  drawShape('circle', plane.getX(getBenchSize(point, names)),
                                            plane.getY(point.median_seconds), 5, '--c1', true)),
                              describe(point), 'img'));
  plane.root.setAttribute('role', 'group');
  plane.root.setAttribute('aria-label', 'Times over sizes');
  makeGroup(plane.root, '.item');
  section.append(html('h3', {text: 'Times over sizes'}),
                 html('figure', {}, html('div', {class: 'scroll'}, plane.root)));

  const placed = points.filter(p => p.flops > 0 && p.bytes > 0 && p.peak_gflops);
  section.append(html('h3', {text: 'Roofline'}));
  if (placed.length === 0) {
    section.append(html('p', {
      class: 'dim',
      text: 'There is no peak to compare with: the def does not compute in f32 or f64.'
    }));
  } else {
    const bits = def.element_bits, peak = Math.max(...placed.map(p => p.peak_gflops)) * 1e9;
    const hertz = peak / data.machine.operations_per_cycle[bits];
    section.append(
        html('p', {
          text: 'Bytes are those of each operand once. A cycle is taken from the measured peak, ' +
                    `${formatNumber(peak / 1e9)} GFLOP/s.`
        }),
        html('figure', {},
             makeRoofline(placed.map(p => ({
                                       x: p.flops / p.bytes,
                                       y: p.gflops * 1e9 / hertz,
                                       color: '--c6',
                                       kind: 'diamond',
                                       isFilled: true,
                                       tip: describe(p)
                                     })),
                          [bits], hertz)));
  }
  section.append(
      html('h3', {text: 'Figures'}),
      makeTable('Figures',
                [
                  {name: 'sizes', text: true, get: p => nameSizes(p.sizes)},
                  {name: 'median', get: p => formatSeconds(p.median_seconds)},
                  {name: 'fastest', get: p => formatSeconds(p.fastest_seconds)},
                  {name: 'calls', get: p => p.calls},
                  {name: 'GFLOP/s', get: p => p.gflops === undefined ? '' : formatNumber(p.gflops)},
                  {
                    name: '% of the peak',
                    get: p => p.percent_of_peak === undefined ? '' : p.percent_of_peak.toFixed(1)
                  },
                  {name: 'GB/s', get: p => formatNumber(p.gbytes_per_second)},
                ],
                points));
  for (const note of def.notes || [])
    section.append(html('p', {class: 'dim', text: note}));
}
