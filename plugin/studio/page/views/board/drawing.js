/** What is told of the cells of a map, drawn on a canvas: terrain, outlines, signs, hexsides and lines. */

import { badge, dashOf, inkOn, patternOf } from "./brushes.js";
import { unseen } from "./filters.js";
import { put } from "./surface.js";

const FINE = 9; // pixels from centre to corner from which outlines, patterns and signs are drawn
const LETTERS = 15; // from which letters are
const LINE_LETTERS = 32; // from which those of sides and lines are

export class Drawing {
  /** model: {ledger, looks, filter, opacity}. */
  constructor(canvas, model) {
    this.canvas = canvas;
    this.model = model;
    this.on = canvas.getContext("2d");
    this.patterns = new Map();
    this.view = undefined;
  }

  /** From now on draw for a view: {surface, left, top: the map's pixel in the corner, scale, width, height: of the
   * screen, ratio: pixels of the canvas for one of the screen}. */
  open(view) {
    const { canvas } = this, width = Math.round(view.width * view.ratio), height = Math.round(view.height * view.ratio);
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${view.width}px`;
      canvas.style.height = `${view.height}px`;
    }
    if (this.view?.ratio !== view.ratio) this.patterns.clear();
    this.view = view;
    const { surface, left, top, scale, ratio } = view;
    Object.assign(this, { surface, left, top, scale, ratio });
    this.on.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Show what another one has drawn, for its view. */
  take(other) {
    this.open(other.view);
    const { on } = this;
    on.save();
    on.setTransform(1, 0, 0, 1, 0, 0);
    on.globalCompositeOperation = "copy";
    on.drawImage(other.canvas, 0, 0);
    on.restore();
  }

  /** The boxes of the screen that hold cells, as far as they are in view. */
  boxes(cells) {
    const { surface, scale } = this, { width, height } = this.view, found = [], r = surface.radius * scale + 6;
    const add = (x, y, reach) => {
      const sx = (x - this.left) * scale, sy = (y - this.top) * scale;
      if (sx > -reach && sy > -reach && sx < width + reach && sy < height + reach)
        found.push([sx - reach, sy - reach, sx + reach, sy + reach]);
    };
    for (const name of cells) {
      for (const i of surface.numbers.get(name) ?? []) add(...surface.centre(i), r);
      for (const i of surface.sideNumbers.get(name) ?? []) add(...surface.middle(i), 2 * r);
    }
    return found;
  }

  /** Draw what lies in a box of the screen; gives how many hexes that are. */
  part(left, top, right, bottom) {
    const { on, model, surface, ratio } = this; // the edges of a box lie between pixels of the canvas: no seams
    left = Math.floor(left * ratio) / ratio;
    top = Math.floor(top * ratio) / ratio;
    const width = Math.ceil((right - left) * ratio) / ratio, height = Math.ceil((bottom - top) * ratio) / ratio;
    on.save();
    on.beginPath();
    on.rect(left, top, width, height);
    on.clip();
    on.clearRect(left, top, width, height);
    const at = [this.left + left / this.scale, this.top + top / this.scale, this.left + (left + width) / this.scale, this.top + (top + height) / this.scale];
    const hexes = surface.hexesIn(...at), r = surface.radius * this.scale;
    this.#fills(hexes, r);
    if (r >= FINE) this.#outlines(hexes, r);
    const sides = surface.sidesIn(...at);
    this.#lines(sides, r);
    this.#sides(sides, r);
    if (r >= FINE) for (const i of hexes) this.#signs(i, r);
    if (model.filter) this.#filter(hexes, sides, r);
    on.restore();
    return hexes.length;
  }

  #fills(hexes, r) {
    const on = this.on, { ledger, looks, opacity } = this.model, groups = new Map();
    for (const i of hexes) {
      const cell = ledger.hex(this.surface.names[i]);
      const { terrain } = cell, more = terrain.indexOf("+"), name = more < 0 ? terrain : terrain.slice(0, more);
      put(groups, name, i);
    }
    for (const [name, here] of groups) {
      const look = looks.terrain.get(name);
      if (!look) continue;
      if (r < FINE) {
        on.fillStyle = look.colour;
        on.globalAlpha = Math.min(1, 0.35 + 0.5 * opacity);
      } else {
        on.fillStyle = this.#pattern(look, opacity);
        on.globalAlpha = 1;
      }
      if (r < 5) {
        for (const i of here) {
          const [x, y] = this.#centre(i);
          on.fillRect(x - r * 0.8, y - r * 0.82, r * 1.6, r * 1.64);
        }
      } else {
        on.beginPath();
        for (const i of here) this.#trace(i);
        on.fill();
      }
    }
    on.globalAlpha = 1;
  }

  #pattern(look, opacity) {
    const key = `${look.name} ${opacity}`;
    if (!this.patterns.has(key)) {
      const pattern = patternOf(this.on, look, 0.08 + 0.45 * opacity, this.ratio);
      pattern.setTransform(new DOMMatrix().scale(1 / this.ratio));
      this.patterns.set(key, pattern);
    }
    return this.patterns.get(key);
  }

  #outlines(hexes, r) {
    const on = this.on;
    on.beginPath();
    for (const i of hexes) this.#trace(i);
    on.lineWidth = r > 24 ? 1.5 : 1;
    on.strokeStyle = "rgb(20 20 20 / .45)";
    on.stroke();
  }

  #signs(i, r) {
    const on = this.on, { ledger, looks } = this.model, cell = ledger.hex(this.surface.names[i]);
    const [x, y] = this.#centre(i), size = Math.max(11, Math.min(22, r * 0.42));
    const terrains = cell.terrain === "" || cell.terrain === "?" ? [] : cell.terrain.split("+");
    if (!terrains.length) {
      this.#unknown(x, y, r, cell.terrain === "?");
    } else if (r >= LETTERS) {
      const letter = terrains.map(one => looks.terrain.get(one)?.letter ?? "?").join("+");
      badge(on, { letter }, x, y, size);
    }
    if (unseen(cell.status)) this.#unsure(i, r);
    if (r < LETTERS + 6) return;
    if (cell.level !== "" && cell.level !== "?") this.#tag(x, y + r * 0.58, cell.level, size * 0.85, "#fff", "#111");
    const features = cell.features && cell.features !== "?" ? cell.features.split("+") : [];
    features.slice(0, 3).forEach((name, n) => {
      const look = looks.features.get(name) ?? { letter: "?", colour: "#777777" };
      this.#tag(x + (n - (Math.min(3, features.length) - 1) / 2) * size * 1.5, y - r * 0.55, look.letter, size * 0.85, look.colour, inkOn(look.colour));
    });
    if (cell.told) this.#tick(x + r * 0.5, y + r * 0.45, r * 0.16);
  }

  #unknown(x, y, r, said) {
    const on = this.on;
    if (r < LETTERS && !said) return;
    on.font = `${said ? 700 : 400} ${Math.max(11, Math.min(20, r * 0.4))}px system-ui, sans-serif`;
    on.textAlign = "center";
    on.textBaseline = "middle";
    on.lineWidth = 3;
    on.strokeStyle = "rgb(255 255 255 / .85)";
    on.strokeText(said ? "?" : "·", x, y);
    on.fillStyle = said ? "#a00" : "#333";
    on.fillText(said ? "?" : "·", x, y);
  }

  #unsure(i, r) {
    const on = this.on;
    on.beginPath();
    this.#trace(i, 0.82);
    on.setLineDash([4, 4]);
    on.lineWidth = r > 24 ? 2.5 : 1.5;
    on.strokeStyle = "#fff";
    on.stroke();
    on.lineDashOffset = 4;
    on.strokeStyle = "#0050c8";
    on.stroke();
    on.lineDashOffset = 0;
    on.setLineDash([]);
  }

  #tag(x, y, text, size, ground, ink) {
    const on = this.on;
    on.font = `700 ${size}px system-ui, sans-serif`;
    on.textAlign = "center";
    on.textBaseline = "middle";
    const wide = on.measureText(text).width + size * 0.6;
    on.fillStyle = ground;
    on.strokeStyle = "#111";
    on.lineWidth = 1.2;
    on.beginPath();
    on.roundRect(x - wide / 2, y - size * 0.65, wide, size * 1.3, 3);
    on.fill();
    on.stroke();
    on.fillStyle = ink;
    on.fillText(text, x, y);
  }

  #tick(x, y, r) {
    const on = this.on;
    on.beginPath();
    on.moveTo(x - r, y);
    on.lineTo(x - r * 0.2, y + r * 0.8);
    on.lineTo(x + r, y - r);
    for (const [colour, width] of [["#fff", r * 0.9 + 2], ["#0a6b2c", r * 0.55 + 1]]) {
      on.strokeStyle = colour;
      on.lineWidth = width;
      on.stroke();
    }
  }

  /** Roads and the like: from the centres of two hexes to the middle of the side between them. */
  #lines(sides, r) {
    const on = this.on, { looks } = this.model, groups = this.#named(sides, "lines");
    on.lineJoin = on.lineCap = "round";
    for (const [name, here] of groups) {
      const look = looks.lines.get(name) ?? { colour: "#777777", pattern: "rising", letter: "?" };
      const width = Math.max(1.5, Math.min(9, r * 0.14));
      on.beginPath();
      for (const [i, off] of here) this.#crossing(i, off * width * 1.5);
      this.#cased(look.colour, width, dashOf(look), r);
      if (r >= LINE_LETTERS) for (const [i] of here) this.#letter(i, look, 0.5);
    }
  }

  /** What the sides have there, by name: the number of each side, and how far off the middle it is drawn. */
  #named(sides, there) {
    const groups = new Map();
    for (const i of sides) {
      const names = this.model.ledger.side(this.surface.sides[i])[there];
      names.forEach((name, n) => put(groups, name, [i, n - (names.length - 1) / 2]));
    }
    return groups;
  }

  #crossing(i, shift) {
    const { surface, on } = this, [mx, my] = surface.middle(i), [a, b] = surface.pairs[i];
    for (const name of [a, b]) {
      const near = this.#nearest(name, mx, my);
      if (near === undefined) continue;
      const [cx, cy] = surface.centre(near), length = Math.hypot(mx - cx, my - cy) || 1;
      if (length > 1.6 * surface.radius) continue;
      const sx = (-(my - cy) / length) * shift * (name === a ? 1 : -1), sy = ((mx - cx) / length) * shift * (name === a ? 1 : -1);
      on.moveTo((cx - this.left) * this.scale + sx, (cy - this.top) * this.scale + sy);
      on.lineTo((mx - this.left) * this.scale + sx, (my - this.top) * this.scale + sy);
    }
  }

  #nearest(name, x, y) {
    const { surface } = this, all = surface.numbers.get(name) ?? [];
    const far = i => Math.hypot(surface.centres[2 * i] - x, surface.centres[2 * i + 1] - y);
    return all.length < 2 ? all[0] : all.reduce((a, b) => (far(a) <= far(b) ? a : b));
  }

  /** What lies on hexsides. */
  #sides(sides, r) {
    const on = this.on, { looks } = this.model, groups = this.#named(sides, "has");
    on.lineCap = "round";
    for (const [name, here] of groups) {
      const look = looks.hexsides.get(name) ?? { colour: "#777777", letter: "?" };
      const width = Math.max(2, Math.min(11, r * 0.18));
      on.beginPath();
      for (const [i, off] of here) this.#along(i, off * width * 1.1);
      this.#cased(look.colour, width, [], r);
      if (r >= LINE_LETTERS) for (const [i, off] of here) this.#letter(i, look, 0, off);
    }
  }

  #along(i, shift, part = 0.92) {
    const { on, surface } = this, e = surface.ends, [mx, my] = surface.middle(i);
    const hx = ((e[4 * i + 2] - e[4 * i]) / 2) * part, hy = ((e[4 * i + 3] - e[4 * i + 1]) / 2) * part;
    const length = Math.hypot(hx, hy) || 1, sx = (-hy / length) * shift, sy = (hx / length) * shift;
    on.moveTo((mx - hx - this.left) * this.scale + sx, (my - hy - this.top) * this.scale + sy);
    on.lineTo((mx + hx - this.left) * this.scale + sx, (my + hy - this.top) * this.scale + sy);
  }

  #cased(colour, width, dash, r) {
    const on = this.on;
    if (r >= FINE) {
      on.strokeStyle = "#fff";
      on.lineWidth = width + 4;
      on.stroke();
      on.strokeStyle = "#111";
      on.lineWidth = width + 1.6;
      on.stroke();
    }
    on.setLineDash(dash.map(length => (length * width) / 6));
    on.strokeStyle = dash.length ? "#fff" : colour;
    on.lineWidth = width;
    if (dash.length) {
      on.setLineDash([]);
      on.stroke();
      on.setLineDash(dash.map(length => Math.max(width, (length * width) / 5)));
      on.strokeStyle = colour;
    }
    on.stroke();
    on.setLineDash([]);
  }

  #letter(i, look, along, off = 0) {
    const { surface } = this, [mx, my] = surface.middle(i), r = surface.radius * this.scale;
    let x = mx, y = my;
    if (along) {
      const [cx, cy] = surface.centre(this.#nearest(surface.pairs[i][0], mx, my) ?? 0);
      [x, y] = [mx + (cx - mx) * along, my + (cy - my) * along];
    }
    const size = Math.max(10, Math.min(15, r * 0.26));
    badge(this.on, look, (x - this.left) * this.scale + off * size * 1.2, (y - this.top) * this.scale, size);
  }

  /** Wash out what a filter does not ask for, and frame what it does. */
  #filter(hexes, sides, r) {
    const on = this.on, { filter } = this.model, { surface } = this;
    on.beginPath();
    for (const i of hexes) if (!filter(surface.names[i])) this.#trace(i);
    on.fillStyle = "rgb(255 255 255 / .6)";
    on.fill();
    on.beginPath();
    for (const i of hexes) if (filter(surface.names[i])) this.#trace(i, 0.94);
    for (const i of sides) if (filter(surface.sides[i])) this.#along(i, 0, 0.8);
    for (const [colour, width] of [["#fff", 5], ["#c2185b", 2.5]]) {
      on.strokeStyle = colour;
      on.lineWidth = r < FINE ? width / 2 : width;
      on.stroke();
    }
  }

  #centre(i) {
    const { centres } = this.surface;
    return [(centres[2 * i] - this.left) * this.scale, (centres[2 * i + 1] - this.top) * this.scale];
  }

  #trace(i, part = 1) {
    const { on, scale } = this, { corners, centres } = this.surface;
    for (let k = 0; k < 6; k++) {
      const cx = centres[2 * i], cy = centres[2 * i + 1];
      const x = (cx + (corners[12 * i + 2 * k] - cx) * part - this.left) * scale;
      const y = (cy + (corners[12 * i + 2 * k + 1] - cy) * part - this.top) * scale;
      if (k) on.lineTo(x, y);
      else on.moveTo(x, y);
    }
    on.closePath();
  }
}
