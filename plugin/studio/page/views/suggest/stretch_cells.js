// The cells of a stretch of the map, drawn over its picture.

import { shape as make } from "../tables/kit.js";
import { SIDES, colourOf, nameOf, shortsOf } from "./parts.js";

const RIM = 3; // pixels by which a cell may reach beyond what is seen: they are lost in rounding, and to the frame's own line
const KNOWN = ["typed", "looked-at", "double"];

/** The middle of a cell. */
export function middle(points) {
  return [0, 1].map((i) => points.reduce((sum, p) => sum + p[i], 0) / points.length);
}

const pointsOf = (one) => one.points.map((p) => p.join(",")).join(" ");

function turned([[x1, y1], [x2, y2]]) {
  const [x, y, dx, dy] = [(x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 2, (y2 - y1) / 2];
  return [[x - dy, y + dx], [x + dy, y - dx]];
}

/**
 * Draws `found.cells` into an SVG; `valueOf(at)`: what a cell is said to be, `isNew(at)`: whether that was said here.
 * `kinds(layer)`: the names there are. `draw(at)` draws one anew, `point(at)` shows where the keyboard is, `live(layer)` lets
 * the cells of that layer be hit.
 */
export function cellsOf(found, { valueOf, isNew, kinds }) {
  const svg = make("svg", { width: found.width, height: found.height, viewBox: `0 0 ${found.width} ${found.height}`, tabindex: 0, role: "application" });
  const shade = make("g", { class: "shade" });
  const layers = { terrain: make("g"), hexsides: make("g"), lines: make("g") };
  const focus = make("g");
  const several = new Set(found.cells.map((one) => one.layer)).size > 1;
  const shorts = () => shortsOf(SIDES.flatMap(kinds)); // one list, so that no letters of what lies along look like those of what crosses
  const groups = found.cells.map((one, at) => {
    const group = make("g", { "data-at": at });
    layers[one.layer].append(group);
    return group;
  });
  shade.append(layers.terrain, layers.hexsides, layers.lines);
  svg.append(shade, focus);
  found.cells.forEach((_, at) => draw(at));
  return { svg, draw, point, live };

  function draw(at) {
    const one = found.cells[at];
    const value = valueOf(at);
    const sure = KNOWN.includes(one.status) || isNew(at);
    const parts = one.layer === "terrain" ? hex(one, value, sure) : side(one, value, sure, one.open && !isNew(at));
    const open = one.open && !isNew(at) ? ", the pack says ?" : "";
    parts[0].append(make("title", {}, `${one.cell}: ${nameOf(value)}${open}${one.status ? ` (${one.status})` : ""}`));
    groups[at].replaceChildren(...parts);
  }

  function hex(one, value, sure) {
    const classes = `hex hit${value === null ? " blank" : ""}${one.waits ? " waits" : ""}`;
    const shape = make("polygon", { class: classes, points: pointsOf(one), fill: colourOf(value, kinds("terrain")) });
    return [shape, label(one.points, value === null ? "?" : nameOf(value) + (sure ? "" : "?"))];
  }

  function side(one, value, sure, held) {
    const [[x1, y1], [x2, y2]] = one.points;
    const parts = [make("line", { x1, y1, x2, y2, class: "hit" })];
    if (!several) parts.push(make("line", { x1, y1, x2, y2, class: "inside" }));
    if (held || (value === null && !sure && one.waits)) parts.push(make("line", { x1, y1, x2, y2, class: "open" }));
    if (value === null && held) parts.push(label(one.points, "?"));
    if (value === null || value === "none") return parts;
    const [[ax, ay], [bx, by]] = one.layer === "lines" ? turned(one.points) : one.points;
    const ends = { x1: ax, y1: ay, x2: bx, y2: by };
    parts.push(make("line", { ...ends, class: "casing" }), make("line", { ...ends, class: "side", stroke: colourOf(value, kinds(one.layer)) }));
    const text = several ? shorts().get(value) ?? value : value;
    parts.push(label(one.points, text + (sure ? "" : "?")));
    return parts;
  }

  function label(points, text) {
    const [x, y] = middle(points);
    return make("text", { x, y: y + 4 }, text);
  }

  function point(at) {
    focus.replaceChildren();
    const one = found.cells[at];
    if (!one) return;
    focus.append(make(one.points.length > 2 ? "polygon" : "polyline", { points: pointsOf(one), class: "here" }));
    svg.setAttribute("aria-label", `${one.cell}: ${nameOf(valueOf(at))}`);
  }

  function live(layer) {
    for (const [name, group] of Object.entries(layers)) group.classList.toggle("live", name === layer);
  }
}

/** Of the cells of a layer the next one in a direction; `at` if there is none. */
export function nextCell(cells, at, layer, [dx, dy]) {
  const [x, y] = middle(cells[at].points);
  let best = at;
  let least = Infinity;
  cells.forEach((one, number) => {
    const [px, py] = middle(one.points);
    const ahead = (px - x) * dx + (py - y) * dy;
    const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (one.layer === layer && number !== at && ahead > 4 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = number;
    }
  });
  return best;
}

/** The cells that are on the screen whole, as far as the picture shows them, with nothing before them. A pane laid over all cells
 * meanwhile keeps what is asked of a point from going through thousands of them. */
export function onScreen(sheet, svg, cells) {
  const { left, top, right, bottom } = svg.getBoundingClientRect();
  const pane = document.createElement("div");
  pane.className = "pane";
  sheet.append(pane);
  const known = new Map();
  const open = (x, y) => {
    const at = `${x} ${y}`;
    if (!known.has(at)) known.set(at, sheet.contains(document.elementFromPoint(x, y)));
    return known.get(at);
  };
  const found = [];
  for (const [at, one] of cells.entries()) {
    const xs = one.points.map((p) => p[0]);
    const ys = one.points.map((p) => p[1]);
    const [x1, x2] = [Math.max(0, Math.min(...xs)) + left + RIM, Math.min(right, left + Math.max(...xs)) - RIM];
    const [y1, y2] = [Math.max(0, Math.min(...ys)) + top + RIM, Math.min(bottom, top + Math.max(...ys)) - RIM];
    if (open(x1, y1) && open(x2, y1) && open(x1, y2) && open(x2, y2)) found.push(at);
  }
  pane.remove();
  return found;
}
