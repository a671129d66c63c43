/** What a stroke of a brush changes: hexes, hexsides, steps of lines, each as an edit of /api/edit. */

import { keyOf, words } from "./ledger.js";

export const LAYERS = [
  ["terrain", "Terrain", "T", "hex"],
  ["level", "Level", "L", "hex"],
  ["features", "In the hex", "F", "hex"],
  ["hexsides", "On hexsides", "S", "hexside"],
  ["lines", "Roads & lines", "R", "line"],
];
export const kindOf = layer => LAYERS.find(([name]) => name === layer)[3];
const SAMPLE = 0.3; // of the radius: how close the points lie that are looked at along a drag
const INSIDE = 0.72; // of the radius: how near its centre a line must come to enter a hex

/** A stroke: what is painted between pressing and letting go. It shows at once, and can be taken back whole. */
export class Stroke {
  constructor(ledger, label) {
    this.ledger = ledger;
    this.label = label;
    this.held = new Map();
    this.cells = new Set();
    this.touched = new Set();
  }

  /** The cells that have been painted, or taken back, since this was asked last. */
  fresh() {
    const found = this.touched;
    this.touched = new Set();
    return found;
  }

  /** Paint `now`; a cell painted before in this stroke is painted over, one that has this already is left. */
  put(edit) {
    this.forget(edit);
    const was = this.ledger.was(edit);
    if (was === edit.now || (edit.now === "no" && was !== "yes" && was !== "?")) return;
    const whole = { ...edit, was };
    this.ledger.write(whole);
    this.held.set(keyOf(edit), whole);
    this.cells.add(edit.hex ?? edit.side);
    this.touched.add(edit.hex ?? edit.side);
  }

  /** As if this cell had not been painted in this stroke. */
  forget(edit) {
    const key = keyOf(edit), old = this.held.get(key);
    if (old) this.#take(key, old);
  }

  #take(key, edit) {
    this.ledger.unwrite(edit);
    this.held.delete(key);
    this.touched.add(edit.hex ?? edit.side);
  }

  /** Take all of it back. */
  cancel() {
    for (const [key, one] of [...this.held].reverse()) this.#take(key, one);
  }

  get edits() {
    return [...this.held.values()];
  }
}

/** The edit of a hex by a brush; `add`: beside what is there, `remove`: take it away, else terrain and level are
 * replaced and features added. null: nothing to be done. */
export function hexEdit(ledger, layer, hex, brush, { add = false, remove = false } = {}) {
  const edit = { kind: "hex", hex, layer };
  const held = ledger.was(edit), there = words(held);
  let now = brush;
  if (layer !== "level" && brush !== "?") {
    const others = there.filter(one => one !== brush);
    if (remove) {
      if (!there.includes(brush)) return null;
      now = others.join("+") || (layer === "terrain" ? "?" : "");
    } else if (add || layer === "features") {
      now = there.includes(brush) ? held : [...there, brush].join("+");
    }
  } else if (remove) {
    now = layer === "level" ? "" : "?";
  }
  return now === held ? null : { ...edit, now };
}

/** Something that follows the pointer over hexes and paints each. */
export class HexDrag {
  constructor(surface, stroke, paint) {
    Object.assign(this, { surface, stroke, paint, last: null, seen: new Set() });
  }

  to(x, y) {
    for (const [px, py] of points(this.last, [x, y], this.surface.radius)) {
      const i = this.surface.hexAt(px, py), name = this.surface.names[i];
      if (i >= 0 && !this.seen.has(name)) {
        this.seen.add(name);
        this.paint(this.stroke, name);
      }
    }
    this.last = [x, y];
  }

  end() {}
}

/** Along hexsides: one is a click, and switches; from the second on all of them get what the brush says. */
export class SideDrag {
  constructor(surface, stroke, edit, remove) {
    Object.assign(this, { surface, stroke, edit, remove, last: null, seen: [] });
  }

  to(x, y) {
    for (const [px, py] of points(this.last, [x, y], this.surface.radius)) {
      const i = this.surface.sideAt(px, py, this.seen.length ? 0.3 : 0.6), side = this.surface.sides[i];
      if (i < 0 || this.seen.includes(side)) continue;
      this.seen.push(side);
      if (this.seen.length === 1) this.#switch(side);
      else {
        if (this.seen.length === 2) this.#put(this.seen[0]);
        this.#put(side);
      }
    }
    this.last = [x, y];
  }

  #switch(side) {
    const there = this.stroke.ledger.was(this.edit(side)) === "yes";
    this.stroke.put({ ...this.edit(side), now: there || this.remove ? "no" : "yes" });
  }

  #put(side) {
    this.stroke.put({ ...this.edit(side), now: this.remove ? "no" : "yes" });
  }

  end() {}
}

/** From hex to hex: a line across every side that is crossed; going back takes the last step back. A click near a
 * side switches the step across it. */
export class LineDrag {
  constructor(surface, stroke, edit, remove) {
    Object.assign(this, { surface, stroke, edit, remove, last: null, chain: [], moved: false });
  }

  to(x, y) {
    const { surface } = this;
    for (const [px, py] of points(this.last, [x, y], surface.radius)) {
      const i = surface.hexAt(px, py);
      if (i < 0) continue;
      const [cx, cy] = surface.centre(i), name = surface.names[i];
      if (this.chain.length && Math.hypot(px - cx, py - cy) > INSIDE * surface.radius) continue;
      if (this.chain.at(-1) === name) continue;
      if (this.chain.length && !surface.neighbours(this.chain.at(-1)).includes(name)) {
        this.chain = [name];
      } else if (this.chain.length > 1 && this.chain.at(-2) === name) {
        this.#step(this.chain.pop(), name, true);
      } else {
        if (this.chain.length) this.#step(this.chain.at(-1), name, false);
        this.chain.push(name);
      }
      if (this.chain.length > 1) this.moved = true;
    }
    this.first ??= [x, y];
    this.last = [x, y];
  }

  #step(a, b, back) {
    const i = this.surface.sideBetween(a, b);
    if (i === undefined) return;
    const edit = this.edit(this.surface.sides[i]);
    if (back) this.stroke.forget(edit);
    else this.stroke.put({ ...edit, now: this.remove ? "no" : "yes" });
  }

  end() {
    if (this.moved || !this.first) return;
    const i = this.surface.sideAt(...this.first, 0.35);
    if (i < 0) return;
    const edit = this.edit(this.surface.sides[i]), there = this.stroke.ledger.was(edit) === "yes";
    this.stroke.put({ ...edit, now: there || this.remove ? "no" : "yes" });
  }
}

function* points(from, to, radius) {
  if (!from) {
    yield to;
    return;
  }
  const far = Math.hypot(to[0] - from[0], to[1] - from[1]), steps = Math.max(1, Math.ceil(far / (SAMPLE * radius)));
  for (let n = 1; n <= Math.min(steps, 4000); n++) {
    yield [from[0] + ((to[0] - from[0]) * n) / steps, from[1] + ((to[1] - from[1]) * n) / steps];
  }
}

/** The hexes that a fill from here reaches: not known, and joined to it over hexes that are not known. */
export function reach(surface, ledger, start) {
  const open = name => ["", "?"].includes(ledger.hex(name).terrain);
  if (!open(start)) return [];
  const found = new Set([start]), todo = [start];
  while (todo.length) {
    for (const near of surface.neighbours(todo.pop())) {
      if (!found.has(near) && open(near)) {
        found.add(near);
        todo.push(near);
      }
    }
  }
  return [...found];
}
