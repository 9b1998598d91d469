//===- memory.js - Temporaries over time ---------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which temporary lives when: steps of the function to the right, places in its
// one allocation downwards, and above them how many bytes are in use.

function drawMemory(section, def) {
  for (const remark of def.remarks.filter(r => r.startsWith('[memory]')))
    section.append(html('p', {text: remark.replace('[memory] ', '')}));
  const steps = def.memory.steps,
        temporaries = def.memory.temporaries.filter(t => t.first !== undefined);
  if (def.memory.temporaries.length === 0) {
    section.append(html('p', {class: 'dim', text: 'There are no temporaries in memory.'}));
    return;
  }
  if (temporaries.length > 0) {
    const shownSteps = Math.max(...temporaries.map(t => t.last)) + 1;
    const count = Math.max(shownSteps, Math.min(steps.length, 400));
    const column = Math.max(10, Math.min(56, Math.floor(820 / count)));
    const left = 70, top = 96, row = 24;
    const rows = Math.max(...temporaries.map(t => t.place)) + 1;
    const width = left + count * column + 100, height = top + rows * row + 60;
    const picture = svg('svg', {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'group',
      'aria-label': 'Temporaries over time'
    });
    // Bytes in use, as an area.
    const live =
        Array.from({length: count}, (_, i) => temporaries.filter(t => t.first <= i && i <= t.last)
                                                  .reduce((sum, t) => sum + (t.bytes || 0), 0));
    const most = Math.max(...live, 1);
    const getY = bytes => top - 16 - (bytes / most) * (top - 34);
    picture.append(
        svg('path', {
          style: 'fill: var(--c1); opacity: 0.35',
          d: `M${left},${getY(0)} ` +
                 live.map((bytes, i) => `V${getY(bytes)} H${left + (i + 1) * column}`).join(' ') +
                 ` V${getY(0)} Z`
        }),
        svg('text', {
          class: 'dim',
          x: left - 6,
          y: getY(most) + 4,
          'text-anchor': 'end',
          text: formatBytes(most)
        }),
        svg('text', {class: 'dim', x: left - 6, y: getY(0) + 4, 'text-anchor': 'end', text: '0'}),
        svg('path', {
          class: 'axis',
          fill: 'none',
          d: `M${left},${getY(most)} V${getY(0)} H${left + count * column}`
        }));
    // Runs of steps of one line are named once.
    let start = 0, lastName = -100;
    const bottom = top + rows * row;
    for (let i = 1; i <= count; ++i) {
      const at = j => steps[j] ? steps[j].at : 0;
      if (i < count && at(i) === at(start))
        continue;
      const x = left + start * column;
      picture.append(svg('line', {class: 'grid', x1: x, x2: x, y1: top, y2: bottom + 6}));
      if (at(start) && x - lastName >= 30) {
        picture.append(svg('text', {
          class: 'dim',
          x: x + 3,
          y: bottom + 18,
          text: String(nameLine(at(start))).replace(/^.*line /, '')
        }));
        lastName = x;
      }
      start = i;
    }
    picture.append(svg('text', {
      class: 'dim',
      x: left + count * column / 2,
      y: bottom + 40,
      'text-anchor': 'middle',
      text: 'steps of the function, by the source line that they come from'
    }));
    for (let i = 0; i < rows; ++i)
      picture.append(svg('text', {
        class: 'dim',
        x: left - 6,
        y: top + i * row + 16,
        'text-anchor': 'end',
        text: 'place ' + (i + 1)
      }));
    temporaries.forEach((t, i) => {
      const x = left + t.first * column, barWidth = (t.last - t.first + 1) * column - 2;
      const text = (t.name ? t.name + ', ' : '') +
                   (t.bytes === undefined ? t.formula : formatBytes(t.bytes));
      const item = svg(
          'g', {class: 'item', 'data-place': t.at}, svg('rect', {
            class: 'shape',
            x: x + 1,
            y: top + t.place * row + 2,
            width: barWidth,
            height: row - 4,
            rx: 3,
            style: `fill: var(--c${i % 6 + 1}); fill-opacity: 0.35; stroke: var(--c${i % 6 + 1})`
          }));
      // Beside the bar, where it is too short for its text.
      const isInside = barWidth > text.length * 7 + 8;
      item.append(svg('text', {
        class: isInside ? null : 'halo',
        x: isInside ? x + 6 : x + barWidth + 5,
        y: top + t.place * row + 16,
        'aria-hidden': 'true',
        text
      }));
      picture.append(withTip(item,
                             `${t.name || 'a temporary'} of ${t.formula} bytes` +
                                 (t.bytes === undefined ? '' : ` (${formatBytes(t.bytes)})`) +
                                 `\nplace ${t.place + 1}, in use from step ${t.first + 1} to step ${
                                     t.last + 1} of ${steps.length}\n` +
                                 `from ${nameLine(t.at)}: ${getSourceText(t.at)}`,
                             'img'));
    });
    makeGroup(picture, '.item', item => selectPlace(Number(item.dataset.place)));
    section.append(html('div', {class: 'scroll'}, picture));
  }
  section.append(html(
      'details', {}, html('summary', {text: 'The temporaries as a table'}),
      html('div', {class: 'body'},
           makeTable('Temporaries',
                     [
                       {name: 'what', text: true, get: t => t.name},
                       {name: 'from', text: true, get: t => nameLine(t.at)},
                       {name: 'bytes', text: true, get: t => t.formula},
                       {
                         name: 'that is',
                         get: t => t.bytes === undefined ? '' : formatBytes(t.bytes)
                       },
                       {name: 'place', get: t => t.place + 1},
                       {name: 'first step', get: t => t.first === undefined ? '' : t.first + 1},
                       {name: 'last step', get: t => t.last === undefined ? '' : t.last + 1},
                     ],
                     def.memory.temporaries))));
}
