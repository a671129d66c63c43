// Sheets of cut-outs: one kind to be confirmed, cells to be named as examples, cells to be typed blind.

import { LEFT, nameOf, NAMES, palette, percent } from "./parts.js";
import { button, counted, el } from "../tables/kit.js";

const SIZES = [["small", 56], ["medium", 72], ["large", 112]];
let size = 72;

const WORDS = {
  kind: ({ kind, layer }) => layer === "terrain"
    ? `All of these are suggested as ${nameOf(kind)} and nothing else, the least certain first. Click each that is not.`
    : `Suggested on all of these sides: ${nameOf(kind)}. The side lies between the two rings. Click each that is wrong.`,
  nothing: () => "Open moves wait for these hexsides; each lies between the two rings. The program sees only what is written on the cut-out: " +
    "no river or the like along the side, and no road or the like across it. Click each where that is wrong, or where you are not sure: it is left out.",
  ends: ({ kind }) => `Here a ${kind} stops short of a town, a crossing or another ${kind}, or ends in the open. Each side lies between the two rings. ` +
    `Click each that the ${kind} does cross. The others stay as they are.`,
  offer: ({ layer }) => layer === "terrain"
    ? "These hexes differ most from each other, or are the least certain. Name a few of each kind, and of each look. The others stay as they are."
    : "These sides differ most from each other, or are the least certain; each lies between the two rings. Name those with something on them, and leave out those you are not sure of. " +
      "You choose below whether the others count as looked at, with nothing there, or stay as they are.",
  blind: () => "Say what each is, without seeing what is suggested. 0 is for those you cannot tell.",
  double: () => "Findings rest on these cells, or they could clear one, and one other person has looked at them. Say what each is, without seeing the first answer.",
};

/** Sheets of cut-outs of the map: cells, all in one picture. */
const CELLS = {
  address: (asked) => `/api/suggest/sheet?${new URLSearchParams(asked)}`,
  look: "/api/suggest/look",
  noun: "cell",
  title: ({ layer, what }, kind) => what === "nothing" ? "Empty hexsides"
    : `${NAMES[layer]}: ${what === "kind" ? nameOf(kind) : { ends: `where a ${kind} stops short`, offer: "examples", blind: "typed blind", double: "typed a second time" }[what]}`,
  about: ({ layer, what }, kind) => WORDS[what]({ kind, layer }),
  nothing: ({ layer, what }) => layer !== "terrain" && (what === "offer" || what === "blind" || what === "double"),
  sprites: (sheet, marks) => `/api/suggest/sprites/${sheet.id}?side=112&marks=${marks ? 1 : 0}`,
  is: (kind) => nameOf(kind),
  are: (kind, number) => `${number === 1 ? "is" : "are"} ${nameOf(kind)}`,
  rest: ({ what, layer }) => (what === "kind" ? "confirm" : what === "nothing" || (what === "offer" && layer !== "terrain") ? "none" : "leave"),
  leave: true,
  told,
};

/**
 * Opens a sheet in `root`; `back` leads away from it. `asked`: what the sheet is to show, as its address has it. `of` says what kind of
 * sheet it is: `CELLS` has all there is to say. Pictures are all in one (`sprites`), or each has one of its own (`picture`). `of.done`
 * is told the answer to a look before the page goes on; it answers false where not all of it could be written, and has said why. `of.leave`: a cut-out may be left out of what a sheet says of all its others.
 * `before`: the cells that were left out of the sheets before this one.
 */
export async function contactSheet(app, root, back, asked, of = CELLS, before = new Set()) {
  const sheet = await app.get(of.address(asked));
  const kind = asked.kind, layer = sheet.layer;
  if (sheet.what === "nothing" && sheet.cells.every((cell) => before.has(cell.cell))) {
    app.say(before.size ? `Open moves still wait for ${counted(before.size, "hexside")} that you left out.`
      : "No open move waits for an empty hexside any more.");
    return back();
  }
  const places = new Map(); // of each cut-out the places of its cells on the sheet
  sheet.cells.forEach((cell, at) => places.set(cell.cell, [...(places.get(cell.cell) ?? []), at]));
  const shown = [...places.values()];
  const first = (at) => sheet.cells[shown[at][0]];
  const called = (one) => (one === LEFT ? nameOf(one) : of.is(one));
  let gone = false;
  let marks = true;
  let url = "";
  const held = [];
  const said = new Map();
  const { what } = sheet;
  const names = what === "kind";
  root.classList.add("contact");
  const rest = of.rest(sheet);
  const kinds = what === "ends" ? [kind] : sheet.kinds.filter((one) => (names ? one !== kind : what !== "nothing" || one !== "none"));
  const brush = palette(kinds, {
    unknown: what !== "offer" && what !== "ends", leave: of.leave && rest !== "leave", nothing: of.nothing(sheet), shown: called,
    chosen: names ? null : what === "nothing" ? LEFT : kinds[0], another: what === "nothing" || what === "ends" ? "" : of.another });
  const grid = el("div", { className: of.sprites ? "cuts" : "cuts own", role: "group", "aria-label": `${shown.length} cut-outs` });
  const cells = shown.map((_, at) => cutout(first(at), at));
  grid.append(...cells);
  let stroke = null; // the cut-out on which the mouse was pressed, until it is let go
  grid.onpointerdown = (event) => { stroke = event.pointerType === "mouse" && event.button === 0 ? cells.indexOf(event.target.closest("button")) : null; };
  grid.onpointerover = (event) => {
    const at = cells.indexOf(event.target.closest?.("button"));
    if (!(event.buttons & 1) || stroke === null || stroke < 0 || at < 0 || at === stroke) return;
    if (stroke !== cells.length) mark(stroke, true); // drawn over several: the first is one of them
    stroke = cells.length;
    mark(at, true);
  };
  const confirm = button("", () => send(rest), { className: "main" });
  const alone = what === "offer" && rest !== "leave" ? button("", () => send("leave")) : "";
  const marking = button("Outline off", toggleMarks);
  const heading = el("h2", {}, of.title(sheet, kind));
  const larger = SIZES.map(([name, side]) => button(name, () => resize(side), { "aria-label": `${name} cut-outs` }));
  root.replaceChildren(
    heading,
    el("p", { className: "about" }, sheet.cells.length ? of.about(sheet, kind) : "There is nothing to look at here."),
    of.beside?.(sheet) ?? "",
    brush.root,
    el("div", { className: "row" }, of.sprites ? marking : null, ...larger, el("span", { className: "quiet" },
      `${counted(shown.length, of.noun)}${sheet.all > shown.length ? ` of ${sheet.all.toLocaleString("en")}` : ""} · click, or drag over several; arrow keys move, Enter marks, a number names`)),
    grid,
    el("div", { className: "foot" }, confirm, alone, button("Back", () => back())));
  root.onkeydown = key;
  resize(size);
  count();
  cells[0]?.focus({ preventScroll: true });
  heading.scrollIntoView(); // what to do comes before the first cut-out
  if (sheet.cells.length) await picture();
  return { close };

  function close() {
    gone = true;
    root.onkeydown = null;
    root.classList.remove("contact");
    for (const one of held) URL.revokeObjectURL(one);
    if (url) URL.revokeObjectURL(url);
  }

  function cutout(cell, at) {
    const made = el("button", { type: "button", tabIndex: at ? -1 : 0 });
    if (cell.rested || cell.could) made.classList.add("rested");
    made.onclick = () => mark(at);
    made.onfocus = () => {
      for (const one of cells) one.tabIndex = -1;
      made.tabIndex = 0;
    };
    label(made, cell, at);
    return made;
  }

  function label(made, cell, at) {
    const is = said.has(at) ? `, ${called(said.get(at))}` : "";
    const how = cell.chance === null || cell.chance === undefined ? "" : `, ${Math.round(100 * cell.chance)} %`;
    const rests = cell.rested ? `, ${counted(cell.rested, "finding")} rest on it` : cell.could ? `, it could clear ${counted(cell.could, "finding")}` : "";
    const name = cell.name ?? cell.cell;
    const why = cell.why ? `, ${cell.why}` : "";
    const besides = sheet.besides?.[cell.cell] ?? "";
    made.setAttribute("aria-label", `${name}${how}${why}${rests}${besides && `, but ${besides}`}${is}`);
    made.setAttribute("aria-pressed", String(said.has(at)));
    made.title = `${name}${how}${why}${cell.confidence ? `, ${cell.confidence}` : ""}${rests}`;
    made.classList.toggle("wrong", said.has(at) && said.get(at) === null);
    made.classList.toggle("left", said.get(at) === LEFT);
    made.classList.toggle("named", typeof said.get(at) === "string");
    const tag = said.has(at) && said.get(at) !== null ? called(said.get(at)) : besides;
    made.replaceChildren(...(tag ? [el("span", { className: "tag" }, tag)] : []));
  }

  /** Marks a cell with the kind chosen, or takes that back. */
  function mark(at, keep = false) {
    if (brush.value === undefined) return app.say("Choose first what it is.");
    if (!keep && said.has(at) && said.get(at) === brush.value) said.delete(at);
    else said.set(at, brush.value);
    label(cells[at], first(at), at);
    count();
  }

  function count() {
    const left = [...said.values()].filter((value) => value === LEFT).length;
    const marked = said.size - left;
    const other = shown.length - said.size;
    const out = left ? `; ${left} left out` : "";
    confirm.disabled = app.state?.reader || !shown.length || (rest === "leave" && !said.size);
    if (alone) Object.assign(alone, { disabled: app.state?.reader || !marked, textContent: `Keep only these ${marked}` });
    const these = marked ? `${marked} wrong; the other ${other}` : other === 1 ? "This one" : `All ${other}`;
    confirm.textContent = names ? `${these} ${of.are(kind, other)}${out}`
      : what === "nothing" ? `${marked ? `${marked} marked; on` : "On"} the ${marked || left ? "other " : ""}${other} there is nothing${out}`
      : what === "ends" ? `The ${kind} crosses these ${said.size}`
      : what !== "offer" ? `Done: ${said.size} of ${shown.length} typed`
      : rest === "none" ? `Keep ${marked}; on the other ${other} there is nothing${out}`
      : `Keep ${counted(marked, "example")}`;
  }

  function resize(pixels) {
    size = pixels;
    larger.forEach((one, at) => one.setAttribute("aria-pressed", String(SIZES[at][1] === size)));
    grid.style.setProperty("--cut", `${pixels}px`);
    if (of.sprites) cells.forEach((one, at) => {
      one.style.backgroundSize = `${sheet.columns * pixels}px auto`;
      one.style.backgroundPosition = `${-(at % sheet.columns) * pixels}px ${-Math.floor(at / sheet.columns) * pixels}px`;
    });
  }

  async function picture() {
    if (!of.sprites) return ownPictures();
    const next = await app.picture(of.sprites(sheet, marks));
    for (const one of cells) one.style.backgroundImage = `url(${next})`;
    if (url) URL.revokeObjectURL(url);
    url = next;
    grid.dataset.ready = "yes";
  }

  /** Each cut-out has a picture of its own; where there is none, its name is shown. */
  async function ownPictures() {
    await Promise.all(cells.map(async (one, at) => {
      const next = await app.picture(of.picture(first(at))).catch(() => "");
      if (next) held.push(next);
      const image = next && (await new Promise((done) => {
        const probe = new Image();
        probe.onload = () => done(probe);
        probe.onerror = () => done(null);
        probe.src = next;
      }));
      if (image) one.style.background = `url(${next}) center / contain no-repeat`;
      else one.dataset.name = first(at).name;
    }));
    grid.dataset.ready = "yes";
  }

  async function toggleMarks() {
    marks = !marks;
    marking.textContent = marks ? "Outline off" : "Outline on";
    await picture().catch((error) => app.say(error.message));
  }

  function key(event) {
    event.stopPropagation();
    if (event.target.closest?.("input")) return;
    if (event.key === "Escape") {
      event.preventDefault();
      back();
      return;
    }
    const at = cells.indexOf(document.activeElement);
    if (!event.ctrlKey && !event.metaKey && !event.altKey && brush.byKey(event.key)) {
      event.preventDefault();
      if (at >= 0) {
        mark(at, true);
        cells[Math.min(at + 1, cells.length - 1)].focus();
      }
      return;
    }
    if (at < 0) return;
    const across = Math.max(1, Math.round(grid.clientWidth / (size + 4)));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: 0, End: cells.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    cells[Math.min(Math.max(to, 0), cells.length - 1)].focus();
  }

  /** What is said of each cell by its place, and the places of those that are not left out. A kind named on a sheet of empty sides is
   * said in its own layer alone; where a line goes on, what else leads across the side stays. */
  function answers() {
    const value = {};
    const seen = [];
    shown.forEach((at, number) => {
      const is = said.get(number);
      for (const place of at) {
        const cell = sheet.cells[place];
        if (is === LEFT || (typeof is === "string" && what === "nothing" && !sheet.kinds_of[cell.layer].includes(is))) continue;
        seen.push(place);
        if (said.has(number)) value[place] = what === "ends" && cell.value && cell.value !== "none" ? `${cell.value}+${is}` : is;
      }
    });
    return { said: value, ...(of.leave && rest !== "leave" ? { seen } : {}) };
  }

  async function send(rest) {
    confirm.disabled = true;
    if (alone) alone.disabled = true;
    try {
      const answer = await app.post(of.look, { sheet: sheet.id, ...answers(), rest });
      if ((await of.done?.(answer)) ?? true) app.say(of.told(answer));
      const out = [...said].filter(([, value]) => value === LEFT).map(([at]) => first(at).cell);
      if (what === "nothing") {
        confirm.textContent = "The moves are judged again with this …";
        await judged(answer.revision);
        if (gone || !root.contains(grid)) return undefined;
      }
      close();
      if ((names && sheet.all > shown.length) || what === "nothing") return await contactSheet(app, root, back, asked, of, new Set([...before, ...out]));
      await back(asked);
    } catch (error) {
      app.say(error.message);
      count();
    }
    return undefined;
  }

  /** Resolves when the moves have been judged with all that was said up to a revision. */
  function judged(revision) {
    return new Promise((done) => {
      const stop = app.onState((state) => {
        if (state.revision < revision || state.judging) return;
        queueMicrotask(() => stop());
        done();
      });
    });
  }
}

function told(answer) {
  if (answer.blind) {
    const { typed, wrong, at_most } = answer.blind;
    return `${wrong} of ${typed} suggestions were wrong; of all suggestions at most ${percent(at_most)} are wrong (with 95 % confidence). Kept with the pack.`;
  }
  if (answer.double !== undefined) {
    const differ = answer.differ.map((one) => `${one.cell}: ${nameOf(one.first)} (${one.by}), ${nameOf(one.now)} (you)`).join("; ");
    return `${counted(answer.double, "cell")} entered twice and equal.${differ ? ` Not known any more, for you two differ: ${differ}` : ""}`;
  }
  const parts = [`${counted(answer.looked, "cell")} looked at`];
  if (answer.not_known) parts.push(`${answer.not_known} not known`);
  if (answer.before) parts.push(`${answer.before} looked at before`);
  if (answer.kept) parts.push(`${answer.kept} kept as somebody else entered them meanwhile`);
  if (answer.refused) parts.push(`${answer.refused} refused, as the file was changed elsewhere`);
  return `${parts.join(", ")}.`;
}
