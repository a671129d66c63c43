/** The canvas over the map: what is told of the cells in view, and when it is drawn anew. */

import { Drawing } from "./drawing.js";

const MOST_DIRTY = 400; // cells beyond which all of the view is drawn anew
const MANY = 250; // hexes in view from which a moving map carries the old drawing along
const REST = 90; // milliseconds without moving after which it is drawn anew
const LONGEST = 300; // milliseconds of moving after which it is in any case
const STRIP = 300; // hexes that are drawn at a time meanwhile
const PATIENCE = 60; // milliseconds for which a strip waits for a moment without other work

export class Overlay {
  /** canvas: it lies over the viewer's element. model: {ledger, looks, filter, hidden, opacity}. */
  constructor(canvas, viewer, model) {
    this.canvas = canvas;
    this.viewer = viewer;
    this.model = model;
    this.shown = new Drawing(canvas, model);
    this.next = new Drawing(document.createElement("canvas"), model);
    this.dirty = new Set();
    this.all = true;
    this.asked = 0;
    this.hexes = 0;
  }

  /** Draw everything in view again. */
  whole() {
    this.all = true;
    this.#ask();
  }

  /** Everything looks otherwise than before: other colours, another strength. */
  restyled() {
    this.shown.patterns.clear();
    this.next.patterns.clear();
    this.whole();
  }

  /** Show the map alone as long as the model says so. */
  hidden() {
    this.canvas.style.visibility = this.model.hidden ? "hidden" : "";
  }

  /** The map has moved under it: draw all again, or (where that is much) carry the drawing along, and draw anew, a
   * strip at a time, once the map rests or has moved for long. */
  moved() {
    const { view } = this.shown, now = this.#view();
    if (!view || this.all || this.hexes < MANY || view.width !== now.width || view.height !== now.height || view.ratio !== now.ratio) {
      this.whole();
      return;
    }
    this.#carry(now);
  }

  /** Draw these cells again. */
  cells(names) {
    for (const name of names) this.dirty.add(name);
    if (this.dirty.size > MOST_DIRTY) this.all = true;
    if (this.dirty.size) this.#ask();
  }

  open(surface) {
    this.surface = surface;
    this.whole();
  }

  #ask() {
    if (!this.asked) this.asked = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.asked = 0;
    if (!this.surface) return;
    const now = this.#view(), { shown } = this;
    if (this.all || shown.view?.width !== now.width || shown.view.height !== now.height || shown.view.ratio !== now.ratio) {
      this.#rest();
      shown.open(now);
      this.hexes = shown.part(0, 0, now.width, now.height);
      this.canvas.style.transform = "";
      this.hidden();
    } else {
      for (const box of shown.boxes(this.dirty)) shown.part(...box);
      if (this.strips) for (const name of this.dirty) this.strips.late.add(name);
    }
    this.all = false;
    this.dirty.clear();
  }

  #view() {
    const { surface, viewer } = this, { x, y } = viewer.size, [left, top] = viewer.at(0, 0);
    return { surface, left, top, scale: viewer.scale, width: x, height: y, ratio: Math.min(2, window.devicePixelRatio || 1) };
  }

  // -- a moving map --------------------------------------------------------------------------

  /** Lay what is drawn where its cells are in a view, and draw anew soon if it is not the view it was drawn for. */
  #carry(now) {
    const { left, top, scale } = this.shown.view, at = performance.now();
    if (left === now.left && top === now.top && scale === now.scale) {
      this.canvas.style.transform = "";
      if (!this.strips) this.#rest();
      return;
    }
    this.canvas.style.transform = `translate(${(left - now.left) * now.scale}px, ${(top - now.top) * now.scale}px) scale(${now.scale / scale})`;
    this.carried ??= { since: at };
    clearTimeout(this.resting);
    if (!this.strips) this.resting = setTimeout(() => this.#begin(), Math.max(0, Math.min(REST, this.carried.since + LONGEST - at)));
  }

  /** Neither carried nor being drawn anew. */
  #rest() {
    clearTimeout(this.resting);
    if (this.strips) unasked(this.strips.asked);
    this.strips = this.carried = undefined;
  }

  #begin() {
    const view = this.#view(), { left, top, scale, width, height } = view;
    const hexes = view.surface.hexesIn(left, top, left + width / scale, top + height / scale).length;
    const strip = Math.max(40, Math.ceil((height * STRIP) / (hexes + 1)));
    this.next.open(view);
    this.strips = { hexes, strip, from: 0, late: new Set(), asked: idly(() => this.#strip()) };
  }

  #strip() {
    const { strips, next } = this, { width, height } = next.view;
    next.part(0, strips.from, width, Math.min(height, strips.from + strips.strip));
    strips.from += strips.strip;
    if (strips.from < height) {
      strips.asked = idly(() => this.#strip());
      return;
    }
    for (const box of next.boxes(strips.late)) next.part(...box);
    this.shown.take(next);
    this.hexes = strips.hexes;
    this.#rest();
    this.#carry(this.#view());
  }
}

const [idly, unasked] = window.requestIdleCallback
  ? [work => requestIdleCallback(work, { timeout: PATIENCE }), cancelIdleCallback]
  : [setTimeout, clearTimeout];
