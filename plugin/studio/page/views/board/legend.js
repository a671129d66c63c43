/** The brushes in words and colours: which layer is painted, with what, and a name that is not there yet. */

import { swatch } from "./brushes.js";
import { LAYERS } from "./tools.js";

const ADDED = {
  terrain: "New terrain", level: "New level", features: "New name (town, fort …)",
  hexsides: "New name (river, cliff …)", lines: "New name (road, railway …)",
};

export class Legend {
  /** desk: {layer, brush(layer), brushes(layer), looks, choose(layer, name), add(layer, name)}. */
  constructor(place, desk) {
    this.desk = desk;
    this.layers = element("div", { className: "bd-layers" });
    this.layers.setAttribute("role", "group");
    this.layers.setAttribute("aria-label", "What to paint");
    for (const [name, title, key] of LAYERS) {
      const button = element("button", { type: "button", textContent: title, title: `${title} (key ${key})` });
      button.dataset.layer = name;
      button.onclick = () => desk.choose(name);
      this.layers.append(button);
    }
    this.list = element("div", { className: "bd-brushes" });
    this.list.setAttribute("role", "group");
    this.form = element("form", { className: "bd-new" });
    this.input = element("input", { maxLength: 60, autocomplete: "off" });
    this.warning = element("p", { className: "bd-warning" });
    this.warning.setAttribute("role", "status");
    this.form.append(this.input, element("button", { textContent: "Add" }));
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
    for (const button of this.layers.children) button.setAttribute("aria-pressed", String(button.dataset.layer === layer));
    const title = LAYERS.find(([name]) => name === layer)[1];
    this.list.setAttribute("aria-label", `Brushes: ${title}`);
    this.input.placeholder = ADDED[layer];
    this.input.setAttribute("aria-label", ADDED[layer]);
    this.list.replaceChildren(...desk.brushes(layer).map((name, n) => this.#brush(layer, name, n)));
    if (!this.list.children.length)
      this.list.append(element("p", { className: "quiet", textContent: "There is no name here yet. Type the first one below." }));
    if (this.layer !== layer) this.warning.textContent = "";
    this.layer = layer;
  }

  #brush(layer, name, n) {
    const { desk } = this, chosen = desk.brush(layer) === name;
    const button = element("button", { type: "button", className: "bd-brush" });
    button.dataset.brush = name;
    button.setAttribute("aria-pressed", String(chosen));
    button.onclick = () => desk.choose(layer, name);
    const key = n < 10 ? String((n + 1) % 10) : "";
    const look = layer === "level" ? { letter: name, colour: "#ffffff", pattern: "" } : desk.looks[layer].get(name);
    button.append(swatch(look, layer), element("span", { className: "bd-name", textContent: name }));
    if (key) {
      const sign = element("kbd", { textContent: key });
      button.append(sign);
      button.setAttribute("aria-keyshortcuts", key);
    }
    return button;
  }
}

export function element(tag, options = {}, ...inner) {
  const made = Object.assign(document.createElement(tag), options);
  made.append(...inner);
  return made;
}
