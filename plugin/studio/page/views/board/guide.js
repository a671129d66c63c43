/** Leads over the board: to the cells a filter picks out, and to those the audit asks for. */

import { filterFor } from "./filters.js";
import { counted } from "../tables/kit.js";

const LAYERS = { terrain: "terrain", level: "level", features: "features", hexsides: "hexsides", lines: "lines" };
const LEGIBLE = 9; // pixels from centre to corner below which nobody reads what is drawn in a hex

export class Guide {
  #view;
  #last;

  /** `view`: the Board view, whose cursor it moves. */
  constructor(view) {
    this.#view = view;
  }

  /** On a map too large to be read as a whole: to the first cell the audit asks for, unless somebody went elsewhere. */
  begin() {
    const view = this.#view, { surface, viewer, surfaces } = view;
    if (view.begun || !surface || !viewer.fitted || viewer.unseen || view.cursor >= 0) return;
    if (surface.radius * viewer.scale >= LEGIBLE) return;
    const one = view.ledger.asked.find(({ cell }) => surfaces.some(s => s.number(cell) !== undefined || s.sideNumbers.has(cell)));
    if (!one) return;
    view.begun = true;
    view.go(one.cell);
  }

  /** Pick out the cells of a filter by its name. */
  filter(name) {
    const view = this.#view;
    view.model.filter = filterFor(name, view.ledger, key => view.hexes.has(key));
    view.parts.filter(name);
    this.counted();
    view.overlay.whole();
  }

  /** Tell how many cells the filter picks out. */
  counted() {
    const { model, hexes, surfaces, parts } = this.#view, { filter } = model;
    if (!filter) return parts.counted("");
    const names = [...hexes].filter(filter).length;
    const sides = new Set(surfaces.flatMap(one => one.sides)), found = [...sides].filter(filter).length;
    return parts.counted(`${counted(names, "hex", "hexes")}, ${counted(found, "hexside", "hexsides")}`);
  }

  /** To the next cell of the filter after the cursor, in the order of the map. */
  match() {
    const view = this.#view, { filter } = view.model, { surface } = view;
    if (!filter) return view.say("Choose a filter first.");
    const all = [...surface.names.filter(filter), ...surface.sides.filter(filter)];
    if (!all.length) return view.say("No cell of this map fits the filter.");
    const here = view.side >= 0 ? surface.sides[view.side] : surface.names[view.cursor];
    view.go(all[(all.indexOf(here) + 1) % all.length]);
    return undefined;
  }

  /** To the next cell that the audit asks for. */
  next() {
    const view = this.#view, { asked } = view.ledger;
    if (!asked.length) return view.say("The audit asks for no cell of the board.");
    const at = asked.findIndex(one => one.cell === this.#last);
    const one = asked[(at + 1) % asked.length];
    this.#last = one.cell;
    const layer = LAYERS[one.layer];
    if (layer && layer !== view.desk.layer) view.desk.choose(layer);
    view.go(one.cell);
    return view.say(`${one.question} ${one.moves === 1 ? "1 move waits" : `${one.moves} moves wait`} for it.`);
  }
}
