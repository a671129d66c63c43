/** The keyboard on the board. */

import { LAYERS } from "./tools.js";

export const HELP = [
  ["Arrow keys", "move the cursor from hex to hex"],
  ["Enter", "paint the cursor's hex, or its chosen side"],
  ["Shift + arrow keys", "paint on the way; lay a road or river from hex to hex"],
  [", and .", "choose the side before or after, clockwise"],
  ["1 … 9, 0", "choose the brush"],
  ["T L F S R", "paint terrain, levels, in the hex, hexsides, roads and lines"],
  ["E", "not known (?)"],
  ["A, X", "add to what is there; take away"],
  ["G", "fill the hexes around that are not known"],
  ["D", "this hex is done, all six sides"],
  ["P", "take up the brush at the cursor"],
  ["N", "go to the next cell the audit asks for"],
  ["B", "go to the next cell of the filter"],
  ["O (hold)", "hide the overlay"],
  ["Space (hold) or middle button", "move the map; the wheel zooms"],
  ["+, −, Home", "zoom in, out, see all of it"],
  ["I", "read out the hex"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
];

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Keys {
  /** view: what the board view offers: {desk, pointer, active, stage, walk(dx, dy, painting), turn(by), here(), act(name), say(text)}. */
  constructor(view) {
    this.view = view;
    addEventListener("keydown", event => this.#down(event));
    addEventListener("keyup", event => this.#up(event));
    addEventListener("blur", () => this.#release());
  }

  #down(event) {
    const { view } = this;
    if (!view.active || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target, onStage = target === view.stage;
    if (target.closest?.("input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable], dialog, [role=tab]")) return;
    if (this.#handle(event, onStage)) event.preventDefault();
  }

  #handle(event, onStage) {
    const { view } = this, { desk } = view, { key } = event;
    if (onStage && ARROWS[key]) {
      view.walk(...ARROWS[key], event.shiftKey);
      return true;
    }
    if (onStage && key === "Enter") {
      view.act("paint");
      return true;
    }
    if (key === " ") {
      if (!onStage && event.target.closest?.("button, a, summary, input")) return false;
      view.pointer.spaced = true;
      view.stage.classList.add("bd-grab");
      return true;
    }
    if (/^\d$/.test(key)) {
      const name = desk.brushes(desk.layer)[(Number(key) + 9) % 10];
      if (name !== undefined) desk.choose(desk.layer, name);
      view.say(name === undefined ? `There is no brush ${key}.` : `In hand: ${name}.`);
      return true;
    }
    const layer = LAYERS.find(([, , sign]) => sign === key.toUpperCase());
    if (layer) {
      desk.choose(layer[0]);
      view.say(`${layer[1]}. In hand: ${desk.brush() ?? "nothing yet"}.`);
      return true;
    }
    if (key === "," || key === ".") {
      view.turn(key === "," ? -1 : 1);
      return true;
    }
    const act = { e: "unknown", a: "add", x: "remove", g: "fill", d: "done", p: "pick", n: "next", b: "match", i: "read",
      "+": "nearer", "=": "nearer", "-": "farther", Home: "whole", Escape: "stop", o: "hide" }[key.length === 1 ? key.toLowerCase() : key];
    if (!act || (act === "whole" && !onStage)) return false;
    if (!(event.repeat && act === "hide")) view.act(act);
    return true;
  }

  #up(event) {
    if (event.key === " ") {
      this.view.pointer.spaced = false;
      this.view.stage.classList.remove("bd-grab");
    }
    if (event.key.toLowerCase() === "o") this.view.act("unhide");
  }

  #release() {
    this.view.pointer.spaced = false;
    this.view.stage.classList.remove("bd-grab");
    this.view.act("unhide");
  }
}
