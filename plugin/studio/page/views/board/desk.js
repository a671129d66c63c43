/** The work on a board: which brush is in the hand, what strokes do, what is shown. No elements of the page in here. */

import { looksFor } from "./brushes.js";
import { words } from "./ledger.js";
import { HexDrag, LAYERS, LineDrag, SideDrag, Stroke, hexEdit, kindOf, reach } from "./tools.js";

const MOST_SILENT = 200; // hexes that are filled without asking

export class Desk {
  /** told: {drawn(cells), chosen(), painted(edits, label), say(text), ask(text) -> boolean}. */
  constructor(ledger, told) {
    Object.assign(this, { ledger, told, layer: "terrain", tool: "paint", adding: false, removing: false });
    this.names = { terrain: [], level: ["0", "1", "2", "3"], features: [], hexsides: [], lines: [] };
    this.charts = {};
    this.looks = { terrain: new Map(), level: new Map(), features: new Map(), hexsides: new Map(), lines: new Map() };
    this.hand = {};
    this.typed = { terrain: [], level: [], features: [], hexsides: [], lines: [] };
  }

  /** Take over the brushes of /api/board. */
  open(brushes) {
    this.charts = brushes.charts ?? {};
    for (const layer of Object.keys(this.names)) {
      const known = layer === "level" ? this.#levels(brushes.levels ?? []) : brushes[layer];
      this.names[layer] = [...new Set([...known, ...this.typed[layer]])];
    }
    this.#look();
  }

  #levels(there) {
    const all = there.map(Number).filter(Number.isInteger);
    const [low, high] = [Math.min(0, ...all), Math.max(3, ...all)];
    return Array.from({ length: Math.min(40, high - low + 1) }, (_, n) => String(low + n));
  }

  #look() {
    const letters = new Set(); // what stands on the map in letters is told apart by them
    for (const layer of ["terrain", "hexsides", "lines", "features"]) this.looks[layer] = looksFor(this.names[layer], letters);
  }

  brushes(layer) {
    return this.names[layer];
  }

  brush(layer = this.layer) {
    const names = this.names[layer];
    return names.includes(this.hand[layer]) ? this.hand[layer] : names[0];
  }

  /** Names that cells have by now and the legend has not: they become brushes. Whether there were any. */
  meet(cells) {
    let more = false;
    const add = (layer, name) => {
      if (name === "?" || this.names[layer].includes(name)) return;
      this.names[layer] = [...this.names[layer], name];
      more = true;
    };
    for (const cell of cells) {
      const hex = this.ledger.hex(cell), side = this.ledger.side(cell);
      for (const name of words(hex.terrain)) add("terrain", name);
      for (const name of words(hex.features)) add("features", name);
      for (const name of [...side.has, ...(side.doubt ?? [])]) add("hexsides", name);
      for (const name of side.lines) add("lines", name);
    }
    if (more) this.#look();
    return more;
  }

  choose(layer, name) {
    this.layer = layer;
    if (name !== undefined) this.hand[layer] = name;
    if (this.tool !== "pan") this.tool = "paint";
    this.told.chosen();
  }

  take(tool) {
    this.tool = tool;
    this.told.chosen();
  }

  /** A name that is typed: {added, warning}. */
  add(layer, name) {
    if (!name) return { added: false, warning: "Type a name first." };
    if (layer === "level" && !/^[+-]?\d{1,6}$/.test(name)) return { added: false, warning: "A level is a whole number." };
    if (layer !== "level" && /[+/|?*,;"]|^(none|#.*)$/.test(name))
      return { added: false, warning: "A name cannot hold + / | ? * , ; or quotation marks, or be “none”." };
    if (layer === "level") name = String(Number(name));
    if (!this.names[layer].includes(name)) {
      this.typed[layer].push(name);
      this.names[layer] = [...this.names[layer], name];
      this.#look();
    }
    this.choose(layer, name);
    const chart = this.charts[layer];
    if (!chart || chart.known.includes(name)) return { added: true, warning: "" };
    const warning = chart.complete
      ? `The pack says that its chart is complete, and “${name}” is not in it. Painted, it is an error in the pack until the chart has it (view Rules).`
      : `The rules do not know “${name}” yet. Moves over it stay open until the chart has it (view Rules).`;
    return { added: true, warning };
  }

  // -- strokes -------------------------------------------------------------------------------

  get pans() {
    return this.tool === "pan";
  }

  begin(x, y) {
    const i = this.surface.hexAt(x, y);
    if (this.tool === "fill" || this.tool === "done" || this.tool === "pick") {
      if (i >= 0) this[this.tool](this.surface.names[i]);
      return;
    }
    const brush = this.brush(), { surface, removing } = this, kind = kindOf(this.layer);
    if (brush === undefined) {
      this.told.say("There is no brush here yet: type a name under the legend.");
      return;
    }
    this.stroke = new Stroke(this.ledger, this.#label(brush));
    const edit = side => ({ kind, side, name: brush });
    if (kind === "hex") this.drag_ = new HexDrag(surface, this.stroke, (stroke, hex) => this.#paint(stroke, hex, brush));
    else if (kind === "hexside") this.drag_ = new SideDrag(surface, this.stroke, edit, removing);
    else this.drag_ = new LineDrag(surface, this.stroke, edit, removing);
    this.drag(x, y);
  }

  drag(x, y) {
    if (!this.stroke) return;
    this.drag_.to(x, y);
    this.told.drawn(this.stroke.fresh());
  }

  end() {
    if (!this.stroke) return;
    this.drag_.end();
    this.#send(this.stroke);
    this.stroke = this.drag_ = null;
  }

  cancel() {
    if (!this.stroke) return;
    this.stroke.cancel();
    this.told.drawn(this.stroke.cells);
    this.stroke = this.drag_ = null;
  }

  /** Paint these hexes, or these sides, in one stroke, as the keyboard does. */
  paint(cells, brush = this.brush()) {
    if (brush === undefined) return;
    const stroke = new Stroke(this.ledger, this.#label(brush)), kind = kindOf(this.layer);
    for (const cell of cells) {
      if (kind === "hex") this.#paint(stroke, cell, brush);
      else {
        const edit = { kind, side: cell, name: brush }, there = this.ledger.was(edit) === "yes";
        stroke.put({ ...edit, now: this.removing || (cells.length === 1 && there) ? "no" : "yes" });
      }
    }
    this.#send(stroke);
  }

  /** Not known: the layer in hand of a hex, or the brush in hand on a hexside. */
  unknownAt(cell, kind = kindOf(this.layer)) {
    const stroke = new Stroke(this.ledger, `? for ${cell}`);
    if (kind === "hex") {
      const edit = hexEdit(this.ledger, this.layer, cell, "?");
      if (edit) stroke.put(edit);
    } else if (this.brush() !== undefined) {
      stroke.put({ kind, side: cell, name: this.brush(), now: "?" });
    }
    this.#send(stroke);
  }

  unknown(x, y) {
    const kind = kindOf(this.layer), i = kind === "hex" ? this.surface.hexAt(x, y) : this.surface.sideAt(x, y);
    if (i >= 0) this.unknownAt(kind === "hex" ? this.surface.names[i] : this.surface.sides[i], kind);
  }

  fill(hex) {
    const brush = this.brush("terrain");
    const found = reach(this.surface, this.ledger, hex);
    if (!found.length) return this.told.say(`${hex} is known; only hexes that are not known are filled.`);
    const many = found.length > MOST_SILENT;
    if (many && !this.told.ask(`Fill ${found.length.toLocaleString("en")} hexes that are not known with ${brush}?`)) return undefined;
    const stroke = new Stroke(this.ledger, `fill ${found.length.toLocaleString("en")} hexes with ${brush}`);
    for (const name of found) stroke.put({ kind: "hex", hex: name, layer: "terrain", now: brush, status: "filled" });
    return this.#send(stroke);
  }

  done(hex) {
    const stroke = new Stroke(this.ledger, `${hex} is done, all six sides`), edit = { kind: "told", hex };
    stroke.put({ ...edit, now: this.ledger.was(edit) ? "" : "hexsides+lines" });
    this.#send(stroke);
  }

  /** Take up the brush that painted what is at a pixel: a line or a side that is near, else the hex. */
  pickAt(x, y) {
    const s = this.surface.sideAt(x, y, 0.22), i = this.surface.hexAt(x, y);
    const side = s >= 0 ? this.ledger.side(this.surface.sides[s]) : null;
    if (side?.has.length && this.layer !== "lines") this.choose("hexsides", side.has.at(-1));
    else if (side?.lines.length) this.choose("lines", side.lines.at(-1));
    else if (side?.has.length) this.choose("hexsides", side.has.at(-1));
    else if (i >= 0) return this.pick(this.surface.names[i]);
    return this.told.say(`In hand: ${this.brush()}.`);
  }

  pick(hex) {
    const cell = this.ledger.hex(hex);
    const layer = this.layer === "level" || this.layer === "features" ? this.layer : "terrain";
    const name = layer === "level" ? cell.level : words(cell[layer]).at(-1);
    if (!name || name === "?") return this.told.say(`There is nothing in ${hex} to take up.`);
    this.choose(layer, name);
    return this.told.say(`In hand: ${name}.`);
  }

  #label(brush) {
    const title = LAYERS.find(([name]) => name === this.layer)[1].toLowerCase();
    return this.removing ? `take away ${brush}` : this.layer === "level" ? `level ${brush}` : `paint ${brush} (${title})`;
  }

  #paint(stroke, hex, brush) {
    stroke.forget({ kind: "hex", hex, layer: this.layer });
    const edit = hexEdit(this.ledger, this.layer, hex, brush, { add: this.adding, remove: this.removing });
    if (edit) stroke.put(edit);
  }

  #send(stroke) {
    this.told.drawn(stroke.fresh());
    const { edits } = stroke;
    if (!edits.length) return;
    const cells = new Set(edits.map(edit => edit.hex ?? edit.side));
    const label = cells.size > 1 ? `${stroke.label}: ${cells.size.toLocaleString("en")} cells` : `${stroke.label}: ${[...cells][0]}`;
    this.told.painted(edits, label);
  }
}
