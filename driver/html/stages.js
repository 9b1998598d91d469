//===- stages.js - Stages side by side -----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every stage of the IR, some side by side; lines are linked by the source line
// that they come from.

// Source line -> whether any stage has lines of it.
const places = new Set();
for (const stage of data.stages || [])
  stage.places.forEach(place => place && places.add(place));

let panes = [];
let selected = 0;

function markLines(root) {
  root.querySelectorAll('.on').forEach(line => line.classList.remove('on'));
  if (selected)
    root.querySelectorAll(`[data-place="${selected}"]`).forEach(line => {
      if (line.matches('.code > div'))
        line.classList.add('on');
    });
}

// So that the page does not move with it.
function scrollInside(box, line) {
  box.scrollTop = line.offsetTop - box.offsetTop - box.clientHeight / 3;
}

// Shows what comes from a line, everywhere.
function selectPlace(place, from) {
  selected = place;
  document.querySelectorAll('.code').forEach(code => {
    markLines(code);
    const line = code.querySelector('.on');
    if (line && code !== from)
      scrollInside(code, line);
  });
  panes.forEach(pane => pane.update());
  byId('selected').textContent =
      place ? `Shown: what comes from ${nameLine(place)}, ${getSourceText(place)}` : '';
}

// The loop with most multiply-adds, of those of the line that is shown.
function findLoop(stage) {
  const loops = (stage.loops || []).filter(loop => {
    if (!selected)
      return true;
    for (let i = loop.first; i <= loop.last; ++i)
      if (stage.places[i] === selected)
        return true;
    return false;
  });
  const score = loop => loop.multiply_adds * 1000 + loop.instructions;
  return loops.reduce((best, loop) => !best || score(loop) > score(best) ? loop : best, null);
}

function makePane(name) {
  const choice =
      html('select', {'aria-label': 'Stage'},
           data.stages.map(stage => html('option', {value: stage.name, text: stage.name})));
  const loops = html('select', {'aria-label': 'Inner loop', hidden: true});
  const close = html('button', {type: 'button', 'aria-label': 'Close this stage', text: '×'});
  const code = html('div', {class: 'scroll code mono', role: 'group'});
  const note = html('p', {class: 'dim'});
  const root =
      html('div', {class: 'pane'}, html('div', {class: 'bar'}, choice, loops, close), code, note);
  const pane = {root, code, get stage() { return choice.value; }};

  const showLoop = loop => {
    code.querySelectorAll('.loop').forEach(line => line.classList.remove('loop'));
    if (!loop)
      return;
    for (let i = loop.first; i <= loop.last; ++i)
      code.children[i].classList.add('loop');
    scrollInside(code, code.children[loop.first]);
  };
  pane.update = () => {
    const stage = data.stages.find(s => s.name === choice.value);
    const loop = findLoop(stage);
    if (!loop)
      return;
    loops.value = String(stage.loops.indexOf(loop));
    showLoop(loop);
  };
  pane.show = stageName => {
    const stage = data.stages.find(s => s.name === stageName);
    choice.value = stage.name;
    code.setAttribute('aria-label', 'Stage ' + stage.name);
    const lines = stage.text.split('\n');
    if (lines[lines.length - 1] === '')
      lines.pop();
    code.replaceChildren(...lines.map((text, i) => makeLine(i + 1, stage.places[i], [text])));
    note.textContent = stage.omitted ? formatCount(stage.omitted, 'more line') + ' not shown; ' +
                                           `einc build --emit ${stage.name} prints all.`
                                     : '';
    loops.hidden = !(stage.loops && stage.loops.length > 0);
    loops.replaceChildren(
        ...(stage.loops || [])
            .map((loop, i) => html('option', {
                   value: String(i),
                   text: `${loop.function} ${loop.label}: ${loop.instructions} instructions` +
                             (loop.multiply_adds ? `, ${loop.multiply_adds} multiply-adds` : '')
                 })));
    const first = code.querySelector('.linked');
    if (first)
      first.setAttribute('tabindex', '0');
    markLines(code);
    const on = code.querySelector('.on');
    if (on)
      scrollInside(code, on);
    pane.update();
  };
  makeGroup(code, '.linked', line => selectPlace(Number(line.dataset.place), code));
  choice.addEventListener('change', () => pane.show(choice.value));
  loops.addEventListener(
      'change',
      () => showLoop(data.stages.find(s => s.name === choice.value).loops[Number(loops.value)]));
  close.addEventListener('click', () => {
    panes = panes.filter(p => p !== pane);
    root.remove();
    layPanes();
  });
  panes.push(pane);
  pane.show(name);
  return root;
}

function addPane(name) {
  byId('panes').append(makePane(name));
  layPanes();
  // Only what is on the page can be scrolled.
  panes[panes.length - 1].update();
}

function layPanes() { byId('panes').style.setProperty('--panes', Math.max(1, panes.length)); }

function drawStages(section) {
  const names = data.stages.map(s => s.name);
  section.append(
      html('p', {
        class: 'dim',
        text:
            'Lines with a coloured number come from a line of the source. Enter or a click ' +
                'shows that line, and what becomes of it in the other stages. The bar ' +
                'beside assembly is an inner loop.'
      }),
      html('p', {}, html('button', {
             type: 'button',
             text: 'Add a stage',
             onclick: () => {
               const shown = panes.map(p => p.stage);
               addPane(names.find(n => !shown.includes(n)) || names[0]);
             }
           }),
           ' ',
           html('button', {type: 'button', text: 'Show nothing', onclick: () => selectPlace(0)}),
           ' ', html('span', {id: 'selected', 'aria-live': 'polite'})),
      html('div', {class: 'panes', id: 'panes'}));
  const wanted = ['contract', 'vector', 'asm'].filter(n => names.includes(n));
  for (const name of wanted.length > 1 ? wanted : names.slice(-3))
    addPane(name);
}

// The pane that shows a line of a stage, and the line.
function showStageLine(name, number) {
  let pane = panes.find(p => p.stage === name);
  if (!pane) {
    if (panes.length === 0)
      addPane(name);
    pane = panes[panes.length - 1];
    pane.show(name);
  }
  const line = pane.code.children[number];
  pane.root.scrollIntoView({block: 'nearest'});
  scrollInside(pane.code, line);
  line.setAttribute('tabindex', '-1');
  line.focus({preventScroll: true});
}
