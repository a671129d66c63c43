// A stretch of the map with what is said of it laid over: switched off and on, then "this view is right".

import { button, colourOf, el, nameOf, palette, plural } from "/page/views/suggest/parts.js";

const SVG = "http://www.w3.org/2000/svg";
const CHOICES = [["terrain", "Terrain"], ["hexsides", "Along sides"], ["lines", "Across sides"]];

/** Opens a stretch in `root`, round a cell; `back` leads away from it. */
export async function stretchOfMap(app, root, back, { cell = "", layers = "terrain" }) {
  const room = Math.max(300, root.clientWidth - 8);
  const pixels = 64;
  const across = Math.max(4, Math.floor(room / pixels));
  const query = new URLSearchParams({ cell, layers, across, down: Math.max(4, Math.floor((innerHeight - 300) / pixels)), pixels });
  const found = await app.get(`/api/suggest/area?${query}`);
  const url = await app.picture(`/api/suggest/area/${found.id}`);
  const layer = layers.split(",")[0];
  const kinds = found.kinds[layer] ?? [];
  const said = new Map();
  let over = true;
  let offOnce = false;
  let switched = false;
  let here = 0;
  const brush = palette(kinds, { unknown: true, chosen: null, nothing: layer !== "terrain" });
  const svg = make("svg", { width: found.width, height: found.height, viewBox: `0 0 ${found.width} ${found.height}`, tabindex: 0 });
  svg.setAttribute("role", "application");
  const shade = make("g", {});
  shade.classList.add("shade");
  const focus = make("g", {});
  svg.append(shade, focus);
  const image = el("img", { src: url, width: found.width, height: found.height, alt: `The map round ${found.cell}` });
  const confirm = button("This view is right", send, { className: "main" });
  const overlay = button("", toggle);
  const about = el("p", { className: "quiet" });
  about.setAttribute("role", "status");
  const go = el("input", { placeholder: "hex", size: 8, maxLength: 60, value: found.cell });
  go.setAttribute("aria-label", "Go to this hex");
  go.onkeydown = (event) => event.key === "Enter" && move(go.value.trim());
  const sheet = el("div", { className: "sheet" }, image, svg);
  sheet.style.width = `${found.width}px`;
  sheet.style.height = `${found.height}px`;
  root.replaceChildren(
    el("h2", {}, `A stretch of ${found.title}`),
    el("p", { className: "about" }, "Compare what is laid over with the picture: switch it off and on. Choose what a cell is and click it to correct it. Then say that the view is right: all cells that lie in it whole count as looked at."),
    el("div", { className: "row" },
      ...CHOICES.map(([name, text]) => {
        const one = button(text, () => again(found.cell, name));
        one.setAttribute("aria-pressed", String(name === layer));
        return one;
      }),
      ...["left", "right", "up", "down"].map((where) =>
        button({ left: "←", right: "→", up: "↑", down: "↓" }[where], () => move(found.near[where]), { disabled: !found.near[where], label: `Go ${where}` })),
      go, button("Go", () => move(go.value.trim()))),
    brush.root,
    el("div", { className: "stretch" }, sheet),
    about,
    el("div", { className: "foot" }, overlay, confirm, button("Back", back)));
  root.onkeydown = key;
  draw();
  tell();
  svg.focus({ preventScroll: true });
  sheet.parentElement.scrollIntoView({ block: "nearest" });
  return { close };

  function close() {
    root.onkeydown = null;
    URL.revokeObjectURL(url);
  }

  function again(to, name) {
    close();
    return stretchOfMap(app, root, back, { cell: to, layers: name }).catch((error) => app.say(error.message));
  }

  function move(to) {
    if (to) return again(to, layers);
  }

  function valueOf(at) {
    return said.has(at) ? said.get(at) : found.cells[at].value;
  }

  function draw() {
    shade.replaceChildren();
    found.cells.forEach((one, at) => {
      const value = valueOf(at);
      const known = ["typed", "looked-at", "double"].includes(one.status) && !said.has(at);
      const text = layer === "terrain" ? nameOf(value) : value === null || value === "none" ? "" : value;
      const points = one.points;
      let shape;
      if (layer === "terrain") {
        shape = make("polygon", { points: points.map((p) => p.join(",")).join(" "), fill: colourOf(value, kinds) });
        shape.classList.add("hex");
        shape.classList.toggle("blank", value === null);
      } else {
        const [[x1, y1], [x2, y2]] = layer === "lines" ? turned(points) : points;
        if (text) {
          const line = make("line", { x1, y1, x2, y2, stroke: colourOf(value, kinds) });
          line.classList.add("side");
          shade.append(line);
        }
        shape = make("line", { x1: points[0][0], y1: points[0][1], x2: points[1][0], y2: points[1][1] });
        shape.classList.add("hit");
      }
      shape.addEventListener("click", () => mark(at));
      const title = make("title", {});
      title.textContent = `${one.cell}: ${nameOf(value)}${one.status ? ` (${one.status})` : ""}`;
      shape.append(title);
      shade.append(shape);
      if (text) {
        const [x, y] = middle(points);
        const label = make("text", { x, y: y + 4 });
        label.textContent = text + (known ? "" : "?");
        shade.append(label);
      }
    });
    point();
  }

  function turned([[x1, y1], [x2, y2]]) {
    const [x, y, dx, dy] = [(x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 2, (y2 - y1) / 2];
    return [[x - dy, y + dx], [x + dy, y - dx]];
  }

  function middle(points) {
    return [0, 1].map((i) => points.reduce((sum, p) => sum + p[i], 0) / points.length);
  }

  function point() {
    focus.replaceChildren();
    const one = found.cells[here];
    if (!one) return;
    const shape = make(one.points.length > 2 ? "polygon" : "polyline", { points: one.points.map((p) => p.join(",")).join(" ") });
    shape.classList.add("here");
    focus.append(shape);
    svg.setAttribute("aria-label", `${one.cell}: ${nameOf(valueOf(here))}`);
  }

  function mark(at) {
    if (brush.value === undefined) return app.say("Choose first what it is.");
    here = at;
    said.set(at, brush.value);
    draw();
    tell();
  }

  function toggle() {
    over = !over;
    svg.classList.toggle("off", !over);
    if (!over) offOnce = true;
    else if (offOnce) switched = true;
    tell();
  }

  function tell() {
    overlay.replaceChildren(el("kbd", {}, "O"), over ? "Switch the overlay off" : "Switch the overlay on");
    confirm.disabled = !switched || !over || Boolean(app.state?.reader) || !found.cells.length;
    const sure = found.cells.filter((_, at) => valueOf(at) !== null || layer !== "terrain").length;
    about.textContent = switched
      ? `${plural(sure, "cell")} will count as looked at${said.size ? `, ${said.size} of them corrected` : ""}.`
      : "Switch the overlay off and on again first.";
  }

  function key(event) {
    event.stopPropagation();
    if (event.target.closest?.("input")) return;
    if (event.key === "Escape") {
      event.preventDefault();
      back();
    } else if (event.key.toLowerCase() === "o" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      toggle();
    } else if (!event.ctrlKey && !event.metaKey && brush.byKey(event.key)) {
      event.preventDefault();
      if (document.activeElement === svg) mark(here);
    } else if (document.activeElement === svg) {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        mark(here);
        return;
      }
      const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
      if (!way) return;
      event.preventDefault();
      here = nearest(way);
      point();
    }
  }

  /** The next cell in a direction. */
  function nearest([dx, dy]) {
    const [x, y] = middle(found.cells[here].points);
    let best = here;
    let least = Infinity;
    found.cells.forEach((one, at) => {
      const [px, py] = middle(one.points);
      const ahead = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (at !== here && ahead > 4 && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = at;
      }
    });
    return best;
  }

  async function send() {
    confirm.disabled = true;
    try {
      const answer = await app.post("/api/suggest/look", {
        sheet: found.id, said: Object.fromEntries(said), rest: "confirm", switched: true });
      app.say(`${plural(answer.looked, "cell")} looked at${answer.not_known ? `, ${answer.not_known} not known` : ""}${answer.before ? `, ${answer.before} looked at before` : ""}.`);
      await again(found.near.right ?? found.near.down ?? found.cell, layers);
    } catch (error) {
      app.say(error.message);
      tell();
    }
  }
}

function make(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
