// A stretch of the map with what is said of it laid over: switched off and on, then "this view is right".

import { brushes } from "./parts.js";
import { button, counted, el } from "../tables/kit.js";
import { cellsOf, nextCell, onScreen } from "./stretch_cells.js";

const ALL = "terrain,hexsides,lines";
const CHOICES = [[ALL, "Everything"], ["terrain", "Terrain"], ["hexsides", "Along sides"], ["lines", "Across sides"]];
const ONLY = {
  soonest: { name: "what decides soonest", about: " Only the cells that the moves closest to a verdict need are shown; the others stay as they are." },
  asked: { name: "what open moves ask for", about: " Only the cells that open moves wait for are shown; the others stay as they are." },
};
const SIZES = [48, 64, 96];
const AROUND = { wide: 200, narrow: 320 }; // pixels above and below a stretch, for its buttons and what they say
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
let pixels = 64;

/** What a stretch holds, and its picture. `next`: the place where most is to be looked at. */
async function fetched(app, root, { cell, layers, ...more }) {
  const wide = root.clientWidth >= 1000;
  const query = new URLSearchParams({
    cell: cell || "next", layers, pixels, ...more,
    across: Math.max(4, Math.floor((root.clientWidth - (wide ? 270 : 8)) / pixels)),
    down: Math.max(4, Math.floor((innerHeight - (document.getElementById("top")?.offsetHeight ?? 0) - AROUND[wide ? "wide" : "narrow"]) / pixels)),
  });
  const found = await app.get(`/api/suggest/area?${query}`);
  return { found, url: await app.picture(`/api/suggest/area/${found.id}`) };
}

/** Opens a stretch in `root`, round a cell; `back` leads away from it. `held`: what was fetched before; `before`: what was said of
 * cells that may lie in it, too. */
export async function stretchOfMap(app, root, back, { cell = "", layers = ALL, held = null, before = new Map(), only = "" }) {
  const { found, url } = held ?? (await fetched(app, root, { cell, layers, only }));
  const shown = layers.split(",");
  const said = new Map();
  found.cells.forEach((one, at) => before.has(`${one.layer} ${one.cell}`) && said.set(at, before.get(`${one.layer} ${one.cell}`)));
  const seen = new Set();
  let over = true;
  let switched = false;
  let holding = false;
  let stroke = null;
  let here = 0;
  let ahead = null;
  let fetching = 0; // which stretch is on its way; 0: none
  let gone = false;
  let sending = false;
  const brush = brushes(shown, found.kinds, (layer) => drawn.live(layer));
  const drawn = cellsOf(found, {
    valueOf, isNew: (at) => said.has(at), kinds: (layer) => brush.kinds(layer) });
  const { svg } = drawn;
  const confirm = button("This view is right", send, { className: "main" });
  const overlay = button("", toggle);
  const about = el("p", { className: "quiet", role: "status" });
  const go = el("input", { placeholder: "hex", size: 8, maxLength: 60, value: found.cell, "aria-label": "Go to this hex" });
  go.onkeydown = (event) => event.key === "Enter" && move(go.value.trim());
  const image = el("img", { src: url, width: found.width, height: found.height, alt: `The map around ${found.cell}`, draggable: false });
  const sheet = el("div", { className: "sheet" }, image, svg);
  sheet.style.width = `${found.width}px`;
  sheet.style.height = `${found.height}px`;
  const frame = el("div", { className: "stretch" }, sheet);
  const heading = el("h2", {}, `A stretch of ${found.title}`);
  const more = disclosed();
  const wide = el("div", { className: "wide", onpointerdown: () => (more.open = false) }, frame, el("div", { className: "beside" },
    el("p", { className: "how" }, "Compare the overlay with the picture: hold O, or switch it off and on. To correct something, choose what it is, then click it or drag over several. Then say that the view is right."),
    ...brush.parts,
    el("p", { className: "about" }, `Only what lies entirely in this frame and was on your screen counts, at ${found.pixels} pixels a hex.${ONLY[found.only]?.about ?? ""} What the edge cuts off stays as it is. Hexsides without an overlay then count as empty; those with ? stay open.`)));
  const foot = el("div", { className: "foot" }, overlay, confirm, button("Back", back), about);
  root.replaceChildren(
    el("div", { className: "row head" },
      heading,
      ...["left", "right", "up", "down"].map((where) =>
        button({ left: "←", right: "→", up: "↑", down: "↓" }[where], () => move(found.near[where]), { disabled: !found.near[where], "aria-label": `Go ${where}` })),
      go, button("Go", () => move(go.value.trim())),
      button("Most to look at", most, { "aria-label": "Go to the part with most to look at" }),
      more),
    wide,
    foot);
  root.onkeydown = key;
  root.onkeyup = released;
  addEventListener("keydown", stray);
  addEventListener("keyup", stray);
  svg.onpointerdown = begin;
  svg.onpointermove = drag;
  svg.onpointerup = svg.onpointercancel = () => (stroke = null);
  addEventListener("scroll", look, { capture: true, passive: true });
  addEventListener("resize", resized);
  drawn.live(brush.layer);
  drawn.point(here);
  tell();
  svg.focus({ preventScroll: true });
  resized();
  heading.scrollIntoView();
  frame.scrollIntoView({ block: "nearest" }); // in a low window the map comes before its heading
  if (found.waiting > found.waiting_here && !only) ahead = fetched(app, root, { cell: "next", layers, near: found.cell, besides: found.id }).catch(() => null);
  return { close };

  function close() {
    gone = true;
    root.onkeydown = root.onkeyup = null;
    removeEventListener("keydown", stray);
    removeEventListener("keyup", stray);
    removeEventListener("scroll", look, { capture: true });
    removeEventListener("resize", resized);
    URL.revokeObjectURL(url);
  }

  /** What is seldom used, behind a button that says what of it is chosen. */
  function disclosed() {
    const chosen = [
      ...CHOICES.filter(([name]) => name === layers && name !== ALL).map(([, text]) => text),
      ...(found.only ? [ONLY[found.only].name] : []),
      `${pixels} px`,
    ];
    const made = el("details", { className: "folded" },
      el("summary", {}, `More: ${chosen.join(", ")}`),
      el("div", {},
        el("div", { className: "row" }, "Show", ...CHOICES.map(([name, text]) =>
          pressable(text, name === layers, () => again({ cell: found.cell, layers: name })))),
        el("div", { className: "row" }, "Hexes", ...SIZES.map((size) => pressable(`${size} px`, size === pixels, () => {
          pixels = size;
          return again({ cell: found.cell });
        }))),
        el("div", { className: "row" }, ...Object.entries(ONLY).map(([name, { name: text }]) =>
          pressable(`Only ${text}`, found.only === name, () => again(found.only === name ? { cell: found.cell } : { cell: "next", only: name }))))));
    made.onkeydown = (event) => {
      if (event.key !== "Escape" || !made.open) return;
      event.stopPropagation();
      event.preventDefault();
      made.open = false;
      made.firstChild.focus();
    };
    return made;
  }

  function pressable(text, on, onclick) {
    const made = button(text, onclick, { "aria-pressed": String(on) });
    return made;
  }

  /** Opens another stretch in the place of this one, which can be read until it is there, but says nothing any more. */
  async function again(to) {
    const mine = ++fetching;
    tell();
    try {
      const wanted = { layers, ...to };
      const held = wanted.held ?? (await fetched(app, root, { cell: wanted.cell, layers: wanted.layers, only: wanted.only ?? "" }));
      if (gone || mine !== fetching || !root.contains(svg)) return;
      close();
      await stretchOfMap(app, root, back, { ...wanted, held });
    } catch (error) {
      app.say(error.message);
      if (mine === fetching) fetching = 0;
      if (!gone) tell();
    }
  }

  function move(to) {
    if (to) return again({ cell: to });
  }

  /** Goes where most is to be looked at, if that is elsewhere. `before`: what was said here. */
  async function onward(before = new Map()) {
    const held = await ahead;
    if (held) await again({ held, before });
    else if (only || found.waiting > found.waiting_here) await again({ cell: "next", only });
    else return false;
    return true;
  }

  async function most() {
    if (!(await onward())) app.say("There is nothing else to look at elsewhere.");
  }

  function valueOf(at) {
    return said.has(at) ? said.get(at) : found.cells[at].value;
  }

  function mark(at, more = false) {
    if (fetching) return;
    if (brush.value === undefined) return app.say("Choose first what it is.");
    const last = here;
    here = at;
    if (!more && said.has(at) && said.get(at) === brush.value) said.delete(at);
    else said.set(at, brush.value);
    drawn.draw(at);
    if (last !== at) drawn.draw(last);
    drawn.point(here);
    tell();
  }

  function hit(event) {
    const target = event.pointerType === "mouse" || stroke === null ? event.target : document.elementFromPoint(event.clientX, event.clientY);
    const at = target?.closest?.("[data-at]")?.dataset.at;
    return at === undefined ? -1 : Number(at);
  }

  function begin(event) {
    if (event.button !== 0) return;
    const at = hit(event);
    if (at < 0) return;
    stroke = event.pointerType === "touch" ? null : at;
    mark(at);
    if (!said.has(at)) stroke = null;
  }

  function drag(event) {
    if (stroke === null || !(event.buttons & 1)) return;
    const at = hit(event);
    if (at < 0 || at === stroke) return;
    stroke = at;
    mark(at, true);
  }

  /** The map stays in sight while what is beside it is scrolled, if it fits between the header and the foot. */
  function resized() {
    const header = document.getElementById("top")?.offsetHeight ?? 0;
    frame.style.scrollMarginBottom = `${foot.offsetHeight}px`;
    frame.classList.toggle("stays", header + frame.offsetHeight + foot.offsetHeight + 16 <= innerHeight);
    look();
  }

  function look() {
    if (over) return;
    for (const at of onScreen(sheet, svg, found.cells)) seen.add(at);
  }

  function toggle() {
    if (fetching) return;
    over = !over;
    svg.classList.toggle("off", !over);
    look();
    if (over) switched = true;
    tell();
  }

  function tell() {
    overlay.replaceChildren(el("kbd", {}, "O"), over ? "Switch the overlay off" : "Switch the overlay on");
    overlay.disabled = fetching > 0;
    frame.setAttribute("aria-busy", String(fetching > 0));
    const seenCells = [...found.cells.keys()].filter((at) => said.has(at) || (seen.has(at) && !found.cells[at].open && (valueOf(at) !== null || found.cells[at].layer !== "terrain")));
    const unseen = found.cells.length - seen.size;
    const left = `${counted(found.waiting_here, "cell")} of this stretch and ${found.waiting - found.waiting_here} elsewhere wait to be looked at.`;
    const why = whyNot();
    confirm.disabled = Boolean(why) || sending;
    confirm.title = why;
    const bare = seenCells.filter((at) => !said.has(at) && valueOf(at) === null).length;
    const held = [...seen].filter((at) => found.cells[at].open && !said.has(at)).length;
    about.textContent = why ? `${why} ${left}`
      : `${counted(seenCells.length, "cell")} will count as looked at${said.size ? `, ${said.size} of them corrected` : ""}${bare ? `, ${counted(bare, "side")} of them with nothing there, of which nothing was said before` : ""}${held ? `; ${held} with ? stay open` : ""}${unseen ? `; ${unseen} were not on your screen whole` : ""}. ${left}`;
  }

  /** Why nobody can say now that the view is right; "": he can. */
  function whyNot() {
    if (fetching) return "The next stretch is being fetched: wait until it is there.";
    if (app.state?.reader) return "This tab only reads: take over first.";
    if (!found.cells.length) return "No cell lies entirely in this stretch: go elsewhere, or show more.";
    if (!over) return "Switch the overlay on again first.";
    if (!switched) return "Switch the overlay off and on again first.";
    return seen.size || said.size ? "" : "No cell was entirely on your screen while the overlay was off: scroll to the map, then switch it off and on again.";
  }

  function key(event) {
    event.stopPropagation();
    if (event.target.closest?.("input")) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Escape") {
      event.preventDefault();
      back();
    } else if (plain && event.key.toLowerCase() === "o") {
      event.preventDefault();
      if (event.repeat) holding = !over;
      else toggle();
    } else if (plain && event.key.toLowerCase() === "n") {
      event.preventDefault();
      most();
    } else if (plain && brush.byKey(event.key)) {
      event.preventDefault();
      if (document.activeElement === svg && /^[0-9]$/.test(event.key) && found.cells[here]?.layer === brush.layer) mark(here, true);
    } else if (document.activeElement === svg) {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        if (found.cells[here]?.layer === brush.layer) mark(here);
        return;
      }
      const way = WAYS[event.key];
      if (!way || !found.cells.length) return;
      event.preventDefault();
      here = nextCell(found.cells, here, brush.layer, way);
      drawn.point(here);
    }
  }

  /** A key that was struck while nothing has the focus. */
  function stray(event) {
    if (event.target !== document.body || !root.contains(svg)) return;
    if (event.type === "keydown") key(event);
    else released(event);
  }

  /** A key that was held shows the overlay again when it is let go; one that was struck waits for another stroke. */
  function released(event) {
    if (event.key.toLowerCase() === "o" && holding && !over) toggle();
    holding = false;
  }

  async function send() {
    sending = true;
    tell();
    try {
      const answer = await app.post("/api/suggest/look", {
        sheet: found.id, said: Object.fromEntries(said), seen: [...seen], rest: "confirm", switched: true });
      const told = `${counted(answer.looked, "cell")} looked at${answer.not_known ? `, ${answer.not_known} not known` : ""}${answer.before ? `, ${answer.before} looked at before` : ""}.`;
      const before = new Map([...said].map(([at, value]) => [`${found.cells[at].layer} ${found.cells[at].cell}`, value]));
      app.say(told);
      if (await onward(before)) return;
      app.say(`${told} There is nothing left to look at.`);
      await again({ cell: found.near.right ?? found.near.down ?? found.cell });
    } catch (error) {
      app.say(error.message);
    }
    sending = false;
    if (!gone) tell();
  }
}
