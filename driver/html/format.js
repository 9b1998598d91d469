//===- format.js - Numbers, axes and tables ------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers for people.

function formatNumber(value) {
  if (value === 0)
    return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3)
    return value.toExponential(2).replace('e+', 'e');
  return size >= 100 ? Math.round(value).toLocaleString('en')
                     : String(Number(value.toPrecision(3)));
}

function formatBytes(bytes) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    ++unit;
  }
  return (unit === 0 ? String(bytes) : Number(bytes.toPrecision(3))) + ' ' + units[unit];
}

function formatSeconds(seconds) {
  const units = [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']];
  const [factor, unit] = units.find(u => seconds >= u[0]) || units[3];
  return Number((seconds / factor).toPrecision(3)) + ' ' + unit;
}

function formatCount(count, noun) { return count + ' ' + noun + (count === 1 ? '' : 's'); }

// --- A plane with two logarithmic axes ---

// Powers of ten (or of two) between two numbers.
function getTicks(low, high, base) {
  const ticks = [];
  for (let power = Math.ceil(Math.log(low) / Math.log(base) - 1e-9);
       Math.pow(base, power) <= high * (1 + 1e-9); ++power)
    ticks.push(Math.pow(base, power));
  return ticks;
}

function formatTick(value) {
  return value >= 1e5 || value < 1e-3 ? value.toExponential(0).replace('e+', 'e')
                                      : String(Number(value.toPrecision(6)));
}

// x and y are {low, high, name, base}; the result maps values to pixels.
function makePlane(width, height, x, y) {
  const left = y.margin || 64, right = 24, top = 16, bottom = 46;
  const scale = (axis, from, to) => value =>
      from + (Math.log(value / axis.low) / Math.log(axis.high / axis.low)) * (to - from);
  const getX = scale(x, left, width - right), getY = scale(y, height - bottom, top);
  const root = svg('svg', {width, height, viewBox: `0 0 ${width} ${height}`});
  for (const value of getTicks(x.low, x.high, x.base || 10))
    root.append(
        svg('line',
            {class: 'grid', x1: getX(value), x2: getX(value), y1: top, y2: height - bottom}),
        svg('text', {
          class: 'dim',
          x: getX(value),
          y: height - bottom + 16,
          'text-anchor': 'middle',
          text: formatTick(value)
        }));
  for (const value of getTicks(y.low, y.high, y.base || 10))
    root.append(
        svg('line', {class: 'grid', x1: left, x2: width - right, y1: getY(value), y2: getY(value)}),
        svg('text', {
          class: 'dim',
          x: left - 6,
          y: getY(value) + 4,
          'text-anchor': 'end',
          text: y.format ? y.format(value) : formatTick(value)
        }));
  root.append(svg('path', {
                class: 'axis',
                fill: 'none',
                d: `M${left},${top} V${height - bottom} H${width - right}`
              }),
              svg('text', {
                class: 'dim',
                x: (left + width - right) / 2,
                y: height - 8,
                'text-anchor': 'middle',
                text: x.name
              }),
              svg('text', {
                class: 'dim',
                transform: `translate(14,${(top + height - bottom) / 2}) rotate(-90)`,
                'text-anchor': 'middle',
                text: y.name
              }));
  return {root, getX, getY, left, right: width - right, top, bottom: height - bottom};
}

// Powers of ten around some values.
function getRange(values, least, most) {
  const low = Math.min(...values, least), high = Math.max(...values, most);
  return {
    low: Math.pow(10, Math.floor(Math.log10(low) - 0.05)),
    high: Math.pow(10, Math.ceil(Math.log10(high) + 0.05))
  };
}

// --- A table ---

// Columns are {name, get, text}; rows are anything.
function makeTable(caption, columns, rows) {
  const cell = (column, row) => {
    const value = column.get(row);
    const shown = value === undefined || value === null ? '' : value;
    return html('td', {class: column.text ? 'text' + (column.wide ? ' wide' : '') : null}, shown);
  };
  return html(
      'div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
      html('table', {},
           html('thead', {},
                html('tr', {},
                     columns.map(
                         c => html('th',
                                   {scope: 'col', class: c.text ? 'text' : null, text: c.name})))),
           html('tbody', {}, rows.map(row => html('tr', {}, columns.map(c => cell(c, row)))))));
}
