//===- tree.js - The contraction tree ------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of contraction: operands on top, the result at the bottom. An edge
// is a tensor, with its labels, elements and bytes; a node is a product of two,
// with its operations.

function drawTree(section, statement) {
  const tree = statement.tree, numOperands = tree.operands.length;
  const tensors = tree.operands.concat(tree.steps);
  const children = i =>
      i < numOperands ? [] : [tree.steps[i - numOperands].lhs, tree.steps[i - numOperands].rhs];
  const root = tensors.length - 1;

  // Leaves side by side, in the order in which the tree has them.
  const gap = 172, levelHeight = 100, boxWidth = 150, boxHeight = 40;
  const x = [], depth = [];
  let next = 0;
  const place = (start) => {
    const work = [[start, false]];
    while (work.length > 0) {
      const [i, isDone] = work.pop();
      const below = children(i);
      if (below.length === 0) {
        x[i] = next++ * gap + boxWidth / 2 + 16;
        depth[i] = 0;
      } else if (isDone) {
        x[i] = (x[below[0]] + x[below[1]]) / 2;
        depth[i] = Math.max(depth[below[0]], depth[below[1]]) + 1;
      } else {
        work.push([i, true], [below[1], false], [below[0], false]);
      }
    }
  };
  place(root);
  const y = i => depth[i] * levelHeight + boxHeight / 2 + 12;
  const width = (next - 1) * gap + boxWidth + 32;
  const height = y(root) + boxHeight + 46;

  const picture = svg('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'group',
    'aria-label': 'Contraction tree of ' + statement.text
  });
  const sizes = tensors.map(t => t.elements);
  const most = Math.max(...sizes, 2);
  const describe = i =>
      `${tensors[i].labels || 'scalar'}: ${formatNumber(tensors[i].elements)} elements, ` +
      formatBytes(tensors[i].bytes);
  const drawEdge = (i, toX, toY) => {
    const stroke = 1 + 5 * Math.log(Math.max(1, tensors[i].elements)) / Math.log(most);
    const fromY = y(i) + boxHeight / 2;
    // Straight down behind the label, then over to the node.
    picture.append(svg('path', {
      class: 'edge',
      'stroke-width': stroke.toFixed(1),
      d: `M${x[i]},${fromY} V${fromY + 26} C${x[i]},${(fromY + 26 + toY) / 2} ` +
             `${toX},${(fromY + 26 + toY) / 2} ${toX},${toY}`
    }));
  };
  tensors.forEach((tensor, i) => {
    for (const child of children(i))
      drawEdge(child, x[i], y(i) - boxHeight / 2);
  });
  drawEdge(root, x[root], y(root) + boxHeight / 2 + 36);
  tensors.forEach((tensor, i) => {
    const isStep = i >= numOperands;
    const title = isStep ? formatNumber(tensor.flops) + ' operations' : tensor.name;
    const step =
        isStep ? 'step ' + (i - numOperands + 1) + (tensor.shared ? ', shared' : '') : 'operand';
    const node = svg(
        'g', {class: 'item'}, svg('rect', {
          class: 'box shape' + (isStep ? ' step' : ''),
          x: x[i] - boxWidth / 2,
          y: y(i) - boxHeight / 2,
          width: boxWidth,
          height: boxHeight,
          rx: isStep ? 4 : 16
        }),
        svg('text',
            {x: x[i], y: y(i) - 3, 'text-anchor': 'middle', 'font-weight': '600', text: title}),
        svg('text', {class: 'dim', x: x[i], y: y(i) + 13, 'text-anchor': 'middle', text: step}));
    const [a, b] = children(i);
    const says =
        isStep
            ? `${step}: ${tensors[a].labels},${tensors[b].labels}->${tensor.labels}\n` +
                  `${formatNumber(tensor.flops)} operations` +
                  (tree.flops > 0 ? `, ${(100 * tensor.flops / tree.flops).toFixed(1)} % of all`
                                  : '') +
                  (tensor.shared ? '; another statement makes it' : '') + `\nmakes ${describe(i)}`
            : `operand ${tensor.name}\n${describe(i)}`;
    picture.append(withTip(node, says, 'img'));
  });
  tensors.forEach((tensor, i) => {
    const name = i === root ? tree.target + ': ' : '';
    const text = name + (tensor.labels || 'scalar') + ' · ' + formatBytes(tensor.bytes);
    const shown = text.length > 24 ? text.slice(0, 23) + '…' : text;
    const atY = y(i) + boxHeight / 2 + 5, half = shown.length * 3.4 + 6;
    picture.append(
        svg('rect', {class: 'label', x: x[i] - half, y: atY, width: 2 * half, height: 18, rx: 3}),
        svg('text',
            {x: x[i], y: atY + 13, 'text-anchor': 'middle', 'aria-hidden': 'true', text: shown}));
  });
  makeGroup(picture, '.item');

  section.append(html('h3', {text: nameLine(statement.begin[0]) + ': ' + statement.text}));
  const notes = [
    `${formatNumber(tree.flops)} operations in all`,
    `largest intermediate ${formatNumber(tree.largest_intermediate)} elements`,
    `temporaries of ${formatBytes(tree.temporary_bytes)}`
  ];
  if (tree.slices)
    notes.push('in slices of ' +
               Object.entries(tree.slices).map(([k, v]) => `${v} of ${k}`).join(', '));
  if (tree.alternatives > 0)
    notes.push(`${formatCount(tree.alternatives, 'other order')} to choose from when it runs`);
  section.append(html('p', {text: notes.join('; ') + '.'}),
                 html('div', {class: 'scroll'}, picture));
}

function drawTrees(section, def) {
  const statements = def.statements.filter(s => s.tree);
  if (statements.length === 0)
    section.append(
        html('p', {
          class: 'dim',
          text: 'There is nothing to order: no statement is contracted pair by pair.',
        }));
  for (const statement of statements)
    drawTree(section, statement);
}
