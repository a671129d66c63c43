// Sheets of cut-outs: one kind to be confirmed, cells to be named as examples, cells to be typed blind.

import { button, el, nameOf, NAMES, palette, percent, plural } from "/page/views/suggest/parts.js";

const SIZES = [["small", 56], ["medium", 72], ["large", 112]];
let size = 72;

const WORDS = {
  kind: ({ kind, layer }) => layer === "terrain"
    ? `All of these are said to be ${nameOf(kind)} and nothing else, those it is least certain of first. Click each that is not.`
    : `On all of these sides there is said to be: ${nameOf(kind)}. The side lies between the two rings. Click each that is not so.`,
  offer: ({ layer }) => layer === "terrain"
    ? "These hexes differ as much as any. Name a few of each kind, of each look. Leave out what you cannot tell."
    : "These sides differ as much as any; each lies between the two rings. Name those with something on them. All others will count as looked at, with nothing there.",
  blind: () => "Say of each what it is, without being told what is suggested. 0 is for those you cannot tell.",
  double: () => "Findings rest on these cells, or they could clear one, and one other person has looked at them. Say of each what it is, without being told what he said.",
};

/** Sheets of cut-outs of the map: cells, all in one picture. */
const CELLS = {
  address: (asked) => `/api/suggest/sheet?${new URLSearchParams(asked)}`,
  look: "/api/suggest/look",
  noun: "cell",
  title: ({ layer, what }, kind) =>
    `${NAMES[layer]}: ${what === "kind" ? nameOf(kind) : { offer: "examples", blind: "typed blind", double: "typed a second time" }[what]}`,
  about: ({ layer, what }, kind) => WORDS[what]({ kind, layer }),
  nothing: ({ layer, what }) => layer !== "terrain" && what !== "kind",
  sprites: (sheet, marks) => `/api/suggest/sprites/${sheet.id}?side=112&marks=${marks ? 1 : 0}`,
  is: (kind) => nameOf(kind),
  are: (kind) => `are ${nameOf(kind)}`,
  rest: ({ what, layer }) => (what === "kind" ? "confirm" : what === "offer" && layer !== "terrain" ? "none" : "leave"),
  told,
};

/**
 * Opens a sheet in `root`; `back` leads away from it. `asked`: what the sheet is to show, as its address has it. `of` says what kind of
 * sheet it is: `CELLS` has all there is to say. Pictures are all in one (`sprites`), or each has one of its own (`picture`). `of.done`
 * is told the answer to a look before the page goes on.
 */
export async function contactSheet(app, root, back, asked, of = CELLS) {
  const sheet = await app.get(of.address(asked));
  const kind = asked.kind, layer = sheet.layer;
  let marks = true;
  let url = "";
  const held = [];
  const said = new Map();
  const { what } = sheet;
  const names = what === "kind";
  root.classList.add("contact");
  const kinds = sheet.kinds.filter((one) => !names || one !== kind);
  const brush = palette(kinds, { unknown: what !== "offer", chosen: names ? null : kinds[0], nothing: of.nothing(sheet), shown: of.is, another: of.another });
  const grid = el("div", { className: of.sprites ? "cuts" : "cuts own" });
  grid.setAttribute("role", "group");
  grid.setAttribute("aria-label", `${sheet.cells.length} cut-outs`);
  const cells = sheet.cells.map((cell, at) => cutout(cell, at));
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
  const confirm = button("", send, { className: "main" });
  const marking = button("Outline off", toggleMarks);
  const heading = el("h2", {}, of.title(sheet, kind));
  const larger = SIZES.map(([name, side]) => button(name, () => resize(side), { label: `${name} cut-outs` }));
  root.replaceChildren(
    heading,
    el("p", { className: "about" }, sheet.cells.length ? of.about(sheet, kind) : "There is nothing to look at here."),
    brush.root,
    el("div", { className: "row" }, of.sprites ? marking : null, ...larger, el("span", { className: "quiet" },
      `${plural(sheet.cells.length, of.noun)}${sheet.all > sheet.cells.length ? ` of ${sheet.all.toLocaleString("en")}` : ""} · arrow keys move, Enter marks, a number names`)),
    grid,
    el("div", { className: "foot" }, confirm, button("Back", () => back())));
  root.onkeydown = key;
  resize(size);
  count();
  cells[0]?.focus({ preventScroll: true });
  heading.scrollIntoView(); // what to do comes before the first cut-out
  if (sheet.cells.length) await picture();
  return { close };

  function close() {
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
    const is = said.has(at) ? `, ${of.is(said.get(at))}` : "";
    const how = cell.chance === null || cell.chance === undefined ? "" : `, ${Math.round(100 * cell.chance)} %`;
    const rests = cell.rested ? `, ${plural(cell.rested, "finding")} rest on it` : cell.could ? `, it could clear ${plural(cell.could, "finding")}` : "";
    const name = cell.name ?? cell.cell;
    const why = cell.why ? `, ${cell.why}` : "";
    made.setAttribute("aria-label", `${name}${how}${why}${rests}${is}`);
    made.setAttribute("aria-pressed", String(said.has(at)));
    made.title = `${name}${how}${why}${cell.confidence ? `, ${cell.confidence}` : ""}${rests}`;
    made.classList.toggle("wrong", said.has(at) && said.get(at) === null);
    made.classList.toggle("named", said.has(at) && said.get(at) !== null);
    made.replaceChildren(...(said.has(at) && said.get(at) !== null ? [el("span", { className: "tag" }, of.is(said.get(at)))] : []));
  }

  /** Marks a cell with the kind chosen, or takes that back. */
  function mark(at, keep = false) {
    if (brush.value === undefined) return app.say("Choose first what it is.");
    if (!keep && said.has(at) && said.get(at) === brush.value) said.delete(at);
    else said.set(at, brush.value);
    label(cells[at], sheet.cells[at], at);
    count();
  }

  function count() {
    const all = sheet.cells.length;
    const rest = all - said.size;
    confirm.disabled = app.state?.reader || (names ? !all : what === "offer" && layer !== "terrain" ? !all : !said.size);
    confirm.textContent = names
      ? `${said.size ? `${said.size} wrong; the other ` : "All "}${rest} ${of.are(kind)}`
      : what === "offer"
        ? layer === "terrain" ? `Keep ${plural(said.size, "example")}` : `Keep ${said.size}; on the other ${rest} there is nothing`
        : `Done: ${said.size} of ${all} typed`;
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
      const next = await app.picture(of.picture(sheet.cells[at])).catch(() => "");
      if (next) held.push(next);
      const image = next && (await new Promise((done) => {
        const probe = new Image();
        probe.onload = () => done(probe);
        probe.onerror = () => done(null);
        probe.src = next;
      }));
      if (image) one.style.background = `url(${next}) center / contain no-repeat`;
      else one.dataset.name = sheet.cells[at].name;
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

  async function send() {
    confirm.disabled = true;
    try {
      const answer = await app.post(of.look, { sheet: sheet.id, said: Object.fromEntries(said), rest: of.rest(sheet) });
      await of.done?.(answer);
      app.say(of.told(answer));
      if (names && sheet.all > sheet.cells.length) {
        close();
        return await contactSheet(app, root, back, asked, of);
      }
      close();
      await back(asked);
    } catch (error) {
      app.say(error.message);
      count();
    }
  }
}

function told(answer) {
  if (answer.blind) {
    const { typed, wrong, at_most } = answer.blind;
    return `${wrong} of ${typed} suggestions were wrong; of all, at most ${percent(at_most)} (with 95 % confidence). Kept with the pack.`;
  }
  if (answer.double !== undefined) {
    const differ = answer.differ.map((one) => `${one.cell}: ${nameOf(one.first)} (${one.by}), ${nameOf(one.now)} (you)`).join("; ");
    return `${plural(answer.double, "cell")} entered twice and equal.${differ ? ` Not known any more, for you two differ: ${differ}` : ""}`;
  }
  const parts = [`${plural(answer.looked, "cell")} looked at`];
  if (answer.not_known) parts.push(`${answer.not_known} not known`);
  if (answer.before) parts.push(`${answer.before} looked at before`);
  if (answer.kept) parts.push(`${answer.kept} kept as somebody else entered them meanwhile`);
  if (answer.refused) parts.push(`${answer.refused} refused, as the file was changed elsewhere`);
  return `${parts.join(", ")}.`;
}
