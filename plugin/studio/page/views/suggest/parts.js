// Small parts of the Suggest view. Names come from strangers: they are only ever put in as text.

export const NAMES = {
  terrain: "Terrain of hexes",
  hexsides: "Along hexsides (rivers, walls …)",
  lines: "Across hexsides (roads, rails …)",
};

/** An element with properties and children; texts become text. */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  Object.assign(made, properties);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function button(text, onclick, { at = "", label = "", ...more } = {}) {
  const made = el("button", { type: "button", onclick, ...more }, text);
  if (at) made.dataset.at = at;
  if (label) made.setAttribute("aria-label", label);
  return made;
}

export function plural(number, noun, nouns = `${noun}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : nouns}`;
}

export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

export function nameOf(kind) {
  return kind === null || kind === undefined ? "not known" : kind === "none" ? "nothing" : kind;
}

const COLOURS = ["#2f7d32", "#c0392b", "#1f5fbf", "#b8860b", "#7b3fa0", "#008b8b", "#c2185b", "#5d4037", "#607d8b", "#d35400"];

/** A colour for a kind: the same for one place on the list of kinds. */
export function colourOf(kind, kinds) {
  const at = kinds.indexOf(kind);
  return at < 0 ? "#444" : COLOURS[at % COLOURS.length];
}

/**
 * Kinds to choose from: number keys choose them, 0 is "not known". `brush.value` is the one chosen (undefined: none).
 * `unknown`: whether "not known" is offered. Calls `changed` whenever another is chosen.
 */
export function palette(kinds, { unknown, chosen, changed, nothing }) {
  const all = [...kinds];
  if (nothing && !all.includes("none")) all.push("none");
  const brush = { value: chosen, kinds: all, root: el("div", { className: "palette" }), choose, byKey };
  brush.root.setAttribute("role", "group");
  brush.root.setAttribute("aria-label", "What it is");
  const input = el("input", { placeholder: "another kind", maxLength: 120, spellcheck: false });
  input.setAttribute("aria-label", "Another kind");
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
    brush.value = kind;
    draw();
    changed?.(kind);
  }

  /** Chooses by a number key; whether the key was one. */
  function byKey(key) {
    if (key === "0" && unknown) {
      brush.value = null;
      draw();
      return true;
    }
    const kind = /^[1-9]$/.test(key) ? all[Number(key) - 1] : undefined;
    if (kind === undefined) return false;
    brush.value = kind;
    draw();
    return true;
  }

  function draw() {
    const made = all.map((kind, at) => one(kind, at < 9 ? String(at + 1) : ""));
    if (unknown) made.push(one(null, "0"));
    brush.root.replaceChildren(...made, input, button("Add", add));
  }

  function one(kind, key) {
    const swatch = el("span", { className: "swatch" });
    swatch.style.background = kind === null ? "transparent" : colourOf(kind, all);
    const made = button("", () => choose(kind));
    made.append(...(key ? [el("kbd", {}, key)] : []), swatch, nameOf(kind));
    made.setAttribute("aria-pressed", String(brush.value === kind));
    return made;
  }
}
