/** What points at cells: the cursor, the hex or side the pointer is over, the chain that is being drawn. */

import { shape } from "../tables/kit.js";

export class Marks {
  constructor(place, viewer) {
    this.viewer = viewer;
    this.svg = shape("svg", { class: "bd-marks", "aria-hidden": "true" });
    this.shapes = {};
    for (const [name, kind] of [["hover", "polygon"], ["cursor", "polygon"], ["side", "line"]]) {
      for (const part of ["under", "over"]) {
        const made = shape(kind, { class: `bd-${name} bd-${part}` });
        this.svg.append(made);
        (this.shapes[name] ??= []).push(made);
      }
    }
    place.append(this.svg);
    this.on = { cursor: -1, hover: -1, side: -1 };
  }

  open(surface) {
    this.surface = surface;
    this.on = { cursor: -1, hover: -1, side: -1 };
    this.draw();
  }

  /** Point at others: numbers of hexes (`cursor`, `hover`) and of a `side`; -1: at none. */
  point(changes) {
    const before = JSON.stringify(this.on);
    Object.assign(this.on, changes);
    if (JSON.stringify(this.on) !== before) this.draw();
  }

  draw() {
    for (const [name, i] of Object.entries(this.on)) {
      for (const shape of this.shapes[name]) {
        shape.toggleAttribute("hidden", i < 0);
        if (i >= 0) name === "side" ? this.#line(shape, i) : shape.setAttribute("points", this.#points(i));
      }
    }
  }

  #points(i) {
    const { corners } = this.surface, points = [];
    for (let k = 0; k < 6; k++) {
      const [x, y] = this.viewer.from(corners[12 * i + 2 * k], corners[12 * i + 2 * k + 1]);
      points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
    }
    return points.join(" ");
  }

  #line(shape, i) {
    const e = this.surface.ends;
    const [x1, y1] = this.viewer.from(e[4 * i], e[4 * i + 1]), [x2, y2] = this.viewer.from(e[4 * i + 2], e[4 * i + 3]);
    for (const [key, value] of Object.entries({ x1, y1, x2, y2 })) shape.setAttribute(key, value.toFixed(1));
  }
}
