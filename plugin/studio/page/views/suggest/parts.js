// Small parts of the Suggest view. Names come from strangers: they are only ever put in as text.

import { button, el } from "../tables/kit.js";

/** The layers of hexsides. */
export const SIDES = ["hexsides", "lines"];

export const NAMES = {
  terrain: "Terrain of hexes",
  hexsides: "Along hexsides (rivers, walls …)",
  lines: "Across hexsides (roads, rails …)",
};

/** The value of a brush that leaves a cell out: nothing is said of it. */
export const LEFT = Symbol("left out");

export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

export function nameOf(kind) {
  return kind === LEFT ? "left out" : kind === null || kind === undefined ? "not known" : kind === "none" ? "nothing" : kind;
}

const COLOURS = ["#2f7d32", "#c0392b", "#1f5fbf", "#b8860b", "#7b3fa0", "#008b8b", "#c2185b", "#5d4037", "#607d8b", "#d35400"];

/** A colour for a kind: the same for one place on the list of kinds. */
export function colourOf(kind, kinds) {
  const at = kinds.indexOf(kind);
  return at < 0 ? "#444" : COLOURS[at % COLOURS.length];
}

/**
 * Kinds to choose from: number keys choose them, 0 is "not known", − leaves out. `brush.value` is the one chosen (undefined: none).
 * `unknown`, `leave`: whether "not known" and leaving out are offered; `shown`: what a kind is called; `another`: what is asked for one
 * that is not there, "": none is. Calls `changed` whenever another is chosen.
 */
export function palette(kinds, { unknown, chosen, changed, nothing, leave = false, label = "What it is", shorts = null, shown = nameOf, another = "another kind" }) {
  const all = [...kinds];
  if (nothing && !all.includes("none")) all.push("none");
  const brush = { value: chosen, kinds: all, root: el("div", { className: "palette", role: "group", "aria-label": label }), choose, byKey, release };
  const numbers = () => all.length > 0 && all.every((kind) => /^[0-9]+$/.test(kind)); // then a key is the number itself
  const input = el("input", { placeholder: another, maxLength: 120, spellcheck: false, "aria-label": `A${another.slice(1)}` });
  const add = () => {
    const name = input.value.trim();
    if (!name) return;
    if (!all.includes(name)) all.push(name);
    input.value = "";
    choose(name);
  };
  input.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Enter") add();
  };
  draw();
  return brush;

  function choose(kind) {
    const held = brush.root.contains(document.activeElement);
    brush.value = kind;
    draw();
    if (held) brush.root.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true }); // drawing takes the button away that was pressed
    changed?.(kind);
  }

  /** None is chosen any more. */
  function release() {
    brush.value = undefined;
    draw();
  }

  /** Chooses by a number key; whether the key was one. */
  function byKey(key) {
    if ((key === "0" && unknown) || (key === "-" && leave)) {
      choose(key === "-" ? LEFT : null);
      return true;
    }
    const kind = all.includes(key) ? key : /^[1-9]$/.test(key) && !numbers() ? all[Number(key) - 1] : undefined;
    if (kind === undefined) return false;
    choose(kind);
    return true;
  }

  function draw() {
    const made = all.map((kind, at) => one(kind, numbers() ? (/^[1-9]$/.test(kind) ? kind : "") : at < 9 ? String(at + 1) : ""));
    if (unknown) made.push(one(null, "0"));
    if (leave) made.push(one(LEFT, "-"));
    brush.root.replaceChildren(...made, ...(another ? [input, button("Add", add)] : []));
  }

  function one(kind, key) {
    const swatch = el("span", { className: "swatch" });
    swatch.style.background = kind === null || kind === LEFT ? "transparent" : colourOf(kind, all);
    const short = shorts && typeof kind === "string" && kind !== "none" ? ` (${shorts(kind)})` : "";
    return el("button", { type: "button", "aria-pressed": String(brush.value === kind), on: { click: () => choose(kind) } },
      key ? el("kbd", {}, key) : null, swatch, shown(kind) + short);
  }
}

/** The fewest first letters that tell each kind from the others. */
export function shortsOf(kinds) {
  const found = new Map();
  for (const kind of kinds) {
    let length = 1;
    while (length < kind.length && kinds.some((other) => other !== kind && other.startsWith(kind.slice(0, length)))) length += 1;
    found.set(kind, kind.slice(0, length));
  }
  return found;
}

const KEYS = { t: "terrain", s: "hexsides", r: "lines" };

/**
 * A palette for each of several layers, of which one is in hand: T, S and R take one up, numbers choose in it.
 * `layer`, `value`: what is chosen; `kinds(layer)`: the names; `parts`: what is to be shown. Calls `taken(layer)`.
 */
export function brushes(layers, kinds, taken) {
  const held = new Map();
  const shorts = (kind) => shortsOf(SIDES.flatMap((layer) => held.get(layer)?.kinds ?? kinds[layer] ?? [])).get(kind);
  const found = { layer: layers[0], parts: [], kinds: (layer) => held.get(layer)?.kinds ?? [], byKey, get value() { return held.get(found.layer)?.value; } };
  for (const layer of layers) {
    const first = layer === layers[0];
    const several = layers.length > 1;
    const one = palette(kinds[layer] ?? [], {
      unknown: true, chosen: first ? null : undefined, nothing: layer !== "terrain", changed: () => take(layer),
      label: NAMES[layer], shorts: several && layer !== "terrain" ? shorts : null });
    held.set(layer, one);
    const key = Object.keys(KEYS).find((each) => KEYS[each] === layer);
    if (several) found.parts.push(el("h3", {}, el("kbd", {}, key.toUpperCase()), NAMES[layer]));
    found.parts.push(one.root);
  }
  return found;

  function take(layer) {
    found.layer = layer;
    for (const [name, one] of held) if (name !== layer && one.value !== undefined) one.release();
    taken(layer);
  }

  function byKey(key) {
    const layer = KEYS[key.toLowerCase()];
    if (layer && held.has(layer)) {
      held.get(layer).choose(null);
      return true;
    }
    return held.get(found.layer)?.byKey(key) ?? false;
  }
}
