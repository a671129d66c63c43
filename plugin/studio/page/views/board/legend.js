/** The brushes in words and colours: which layer is painted, with what, and a name that is not there yet. */

import { swatch } from "./brushes.js";
import { LAYERS } from "./tools.js";
import { button, el } from "../tables/kit.js";

const ADDED = {
  terrain: "New terrain", level: "New level", features: "New name (town, fort …)",
  hexsides: "New name (river, cliff …)", lines: "New name (road, railway …)",
};

export class Legend {
  /** desk: {layer, brush(layer), brushes(layer), looks, choose(layer, name), add(layer, name)}. */
  constructor(place, desk) {
    this.desk = desk;
    this.layers = el("div", { className: "bd-layers", role: "group", "aria-label": "What to paint" });
    for (const [name, title, key] of LAYERS) {
      this.layers.append(button(title, () => desk.choose(name), { title: `${title} (key ${key})`, data: { layer: name } }));
    }
    this.list = el("div", { className: "bd-brushes", role: "group" });
    this.form = el("form", { className: "bd-new" });
    this.input = el("input", { maxLength: 60, autocomplete: "off" });
    this.warning = el("p", { className: "bd-warning", role: "status" });
    this.form.append(this.input, el("button", { textContent: "Add" }));
    this.form.onsubmit = event => {
      event.preventDefault();
      const told = desk.add(desk.layer, this.input.value.trim());
      this.warning.textContent = told.warning;
      if (told.added) this.input.value = "";
    };
    place.append(this.layers, this.list, this.form, this.warning);
  }

  draw() {
    const { desk } = this, { layer } = desk;
    for (const one of this.layers.children) one.setAttribute("aria-pressed", String(one.dataset.layer === layer));
    const title = LAYERS.find(([name]) => name === layer)[1];
    this.list.setAttribute("aria-label", `Brushes: ${title}`);
    this.input.placeholder = ADDED[layer];
    this.input.setAttribute("aria-label", ADDED[layer]);
    this.list.replaceChildren(...desk.brushes(layer).map((name, n) => this.#brush(layer, name, n)));
    if (!this.list.children.length)
      this.list.append(el("p", { className: "quiet", textContent: "There is no name here yet. Type the first one below." }));
    if (this.layer !== layer) this.warning.textContent = "";
    this.layer = layer;
  }

  #brush(layer, name, n) {
    const { desk } = this, chosen = desk.brush(layer) === name;
    const key = n < 10 ? String((n + 1) % 10) : "";
    const look = layer === "level" ? { letter: name, colour: "#ffffff", pattern: "" } : desk.looks[layer].get(name);
    const made = button("", () => desk.choose(layer, name), {
      class: "bd-brush", data: { brush: name }, "aria-pressed": String(chosen), ...(key ? { "aria-keyshortcuts": key } : {}),
    });
    made.append(swatch(look, layer), el("span", { className: "bd-name", textContent: name }), ...(key ? [el("kbd", {}, key)] : []));
    return made;
  }
}
