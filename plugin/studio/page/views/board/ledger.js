/** What is told of every cell: as the studio has it, and over it what was painted here and is not written yet. */

const NO_HEX = Object.freeze({ terrain: "", level: "", features: "", status: "unknown", told: "" });
const NO_SIDE = Object.freeze({
  has: [], lines: [], has_open: [], lines_open: [], has_read: [], lines_read: [], unknown: ["hexsides", "lines"], status: "unknown", doubt: [],
});
const PLACE = { hexside: "has", line: "lines" };

export const words = text => (text && text !== "?" ? text.split(/\s*[+/|]\s*/).filter(Boolean) : []);

/** The cell that an edit is about, as filters and messages name it. */
export const cellOf = edit => edit.hex ?? edit.side;

export const keyOf = edit => [edit.kind, cellOf(edit), edit.layer ?? edit.name ?? ""].join("\n");

export class Ledger {
  #hexes = new Map();
  #sides = new Map();
  #pending = new Map();
  #byCell = new Map();
  #shownHexes = new Map();
  #shownSides = new Map();

  constructor() {
    this.revision = 0;
    this.rested = new Map();
    this.asked = [];
    this.changed = new Set();
  }

  /** Take over an answer of /api/cells; gives the cells that look different now. */
  take(reply) {
    const touched = new Set();
    for (const [name, cell] of Object.entries(reply.hexes)) {
      this.#hexes.set(name, { ...NO_HEX, ...cell });
      touched.add(name);
    }
    for (const [name, cell] of Object.entries(reply.sides)) {
      this.#sides.set(name, { ...NO_SIDE, ...cell });
      touched.add(name);
    }
    this.revision = reply.revision;
    if (reply.rested) {
      for (const cell of [...this.rested.keys(), ...Object.keys(reply.rested)]) touched.add(cell);
      this.rested = new Map(Object.entries(reply.rested));
      this.asked = reply.asked;
    }
    for (const cell of touched) {
      if (this.#hexes.get(cell)?.changed || this.#sides.get(cell)?.changed) this.changed.add(cell);
      else this.changed.delete(cell);
    }
    for (const [key, held] of [...this.#pending]) {
      if (!this.#isTold(held, reply.revision)) continue;
      if (!reply.unwritten || this.#written(held.edit) === held.edit.now) {
        this.#drop(key);
        touched.add(cellOf(held.edit));
      }
    }
    for (const cell of touched) this.#forget(cell);
    return touched;
  }

  /** What is shown of a hex: {terrain, level, features, status, told …}. */
  hex(name) {
    let shown = this.#shownHexes.get(name);
    if (shown === undefined) {
      shown = this.#withPending(name, this.#hexes.get(name) ?? NO_HEX, true);
      this.#shownHexes.set(name, shown);
    }
    return shown;
  }

  /** What is shown of a hexside: {has, lines, unknown, status, doubt}. */
  side(key) {
    let shown = this.#shownSides.get(key);
    if (shown === undefined) {
      shown = this.#withPending(key, this.#sides.get(key) ?? NO_SIDE, false);
      this.#shownSides.set(key, shown);
    }
    return shown;
  }

  /** What an edit of this kind would find: as it was written last, here or by the studio. */
  was(edit) {
    const held = this.#pending.get(keyOf(edit));
    return held !== undefined ? held.edit.now : this.#written(edit);
  }

  /** Show an edit at once, over what was painted in this cell before and is not read back yet. */
  write(edit) {
    const key = keyOf(edit);
    this.#put(key, { edit, written: null, before: this.#pending.get(key) });
  }

  /** Take an edit back that was not written: what lay under it shows again. */
  unwrite(edit) {
    const key = keyOf(edit), top = this.#pending.get(key);
    for (let held = top; held; held = held.before) if (held.before?.edit === edit) held.before = held.before.before;
    if (top?.edit !== edit) return;
    if (top.before && !this.#isTold(top.before, this.revision)) this.#put(key, top.before);
    else this.#drop(key);
    this.#forget(cellOf(edit));
  }

  /** The studio has written these edits: an answer of this revision or a later one tells of them. */
  settle(edits, revision) {
    for (const edit of edits) {
      let held = this.#pending.get(keyOf(edit));
      while (held && held.edit !== edit) held = held.before;
      if (!held) continue;
      held.written = revision;
      held.before = undefined; // it was written before
    }
  }

  /** Whether an answer of a revision tells of what is held. */
  #isTold(held, revision) {
    return held.written !== null && revision >= held.written;
  }

  get waiting() {
    return this.#pending.size;
  }

  #forget(cell) {
    this.#shownHexes.delete(cell);
    this.#shownSides.delete(cell);
  }

  #put(key, held) {
    this.#pending.set(key, held);
    const cell = cellOf(held.edit);
    if (!this.#byCell.has(cell)) this.#byCell.set(cell, new Map());
    this.#byCell.get(cell).set(key, held.edit);
    this.#forget(cell);
  }

  #drop(key) {
    const cell = cellOf(this.#pending.get(key).edit);
    this.#pending.delete(key);
    this.#byCell.get(cell)?.delete(key);
    if (!this.#byCell.get(cell)?.size) this.#byCell.delete(cell);
  }

  #written(edit) {
    const cell = edit.hex !== undefined ? (this.#hexes.get(edit.hex) ?? NO_HEX) : (this.#sides.get(edit.side) ?? NO_SIDE);
    if (edit.kind === "hex") return cell.written?.[edit.layer] ?? cell[edit.layer];
    if (edit.kind === "told") return cell.told;
    const place = PLACE[edit.kind];
    if (!place) return null;
    if (cell[`${place}_open`].includes(edit.name)) return "?";
    return cell[place].includes(edit.name) && !cell[`${place}_read`].includes(edit.name) ? "yes" : "no";
  }

  #withPending(name, cell, ofHex) {
    const edits = this.#byCell.get(name);
    if (!edits) return cell;
    const shown = { ...cell };
    for (const edit of edits.values()) {
      if ((edit.hex !== undefined) !== ofHex) continue;
      if (edit.kind === "hex") {
        shown[edit.layer] = edit.now;
        if (edit.layer === "terrain") shown.status = edit.now === "?" || edit.now === "" ? "unknown" : (edit.status ?? "typed");
      } else if (edit.kind === "told") {
        shown.told = edit.now;
      } else if (edit.kind === "hexside" || edit.kind === "line") {
        const where = PLACE[edit.kind], open = `${where}_open`;
        const others = shown[where].filter(one => one !== edit.name), opened = shown[open].filter(one => one !== edit.name);
        shown[where] = edit.now === "yes" ? [...others, edit.name] : others;
        shown[open] = edit.now === "?" ? [...opened, edit.name] : opened;
        shown.doubt = (shown.doubt ?? []).filter(one => one !== edit.name);
      }
    }
    return shown;
  }
}
