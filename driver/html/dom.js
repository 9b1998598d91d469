'use strict';
//===- dom.js - Elements, notes, groups ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements, the note that hovering and focus show, and groups of items of which
// one is a stop of the tab key while the arrow keys go to the others.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false)
      continue;
    if (key === 'text')
      element.textContent = value;
    else if (key.startsWith('on'))
      element.addEventListener(key.slice(2), value);
    else
      element.setAttribute(key, value === true ? '' : value);
  }
  for (const child of (children || []).flat())
    if (child !== null && child !== undefined)
      element.append(child);
  return element;
}

function html(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function byId(id) { return document.getElementById(id); }

const data = JSON.parse(byId('data').textContent);

// --- The note ---

const tip = byId('tip');

function showTip(element) {
  tip.textContent = element.dataset.tip;
  tip.hidden = false;
  const at = element.getBoundingClientRect(), own = tip.getBoundingClientRect();
  const left = Math.min(at.left, window.innerWidth - own.width - 8);
  const below = at.bottom + 6;
  const top = below + own.height > window.innerHeight ? at.top - own.height - 6 : below;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = Math.max(4, top) + 'px';
}

function hideTip() { tip.hidden = true; }

// What has the focus keeps its note when the mouse is over nothing that has one,
// and when anything scrolls.
function showTipOfFocus() {
  const element = document.activeElement;
  if (!tip.hidden && element && element.dataset && element.dataset.tip)
    showTip(element);
  else
    hideTip();
}

for (const event of ['mouseover', 'focusin'])
  document.addEventListener(event, e => {
    const element = e.target.closest ? e.target.closest('[data-tip]') : null;
    if (element)
      showTip(element);
    else
      showTipOfFocus();
  });
document.addEventListener('focusout', hideTip);
document.addEventListener('scroll', showTipOfFocus, true);
document.addEventListener('keydown', e => {
  if (e.key === 'Escape')
    hideTip();
});

// What a reader hears is what the note shows.
function withTip(element, text, role) {
  element.dataset.tip = text;
  element.setAttribute('aria-label', text.replace(/\n/g, '; '));
  if (role)
    element.setAttribute('role', role);
  return element;
}

// --- Groups ---

// `root` has items that `selector` finds; `pick` is what Enter and a click do.
function makeGroup(root, selector, pick) {
  const items = () => Array.from(root.querySelectorAll(selector));
  const enter = item => {
    const old = root.querySelector(selector + '[tabindex="0"]');
    if (old)
      old.setAttribute('tabindex', '-1');
    item.setAttribute('tabindex', '0');
  };
  items().forEach((item, i) => item.setAttribute('tabindex', i === 0 ? '0' : '-1'));
  root.addEventListener('focusin', e => {
    const item = e.target.closest(selector);
    if (item)
      enter(item);
  });
  root.addEventListener('keydown', e => {
    const item = e.target.closest ? e.target.closest(selector) : null;
    if (!item)
      return;
    if (pick && (e.key === 'Enter' || e.key === ' ')) {
      e.preventDefault();
      pick(item);
      return;
    }
    const all = items(), at = all.indexOf(item);
    const to = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: all.length - 1
    }[e.key];
    if (to === undefined)
      return;
    e.preventDefault();
    if (all[to])
      all[to].focus();
  });
  if (pick)
    root.addEventListener('click', e => {
      const item = e.target.closest(selector);
      if (item)
        pick(item);
    });
}
