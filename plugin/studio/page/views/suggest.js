// The Suggest view: examples, suggestions, and the looks that vouch for them.

import { contactSheet } from "./suggest/sheet.js";
import { stretchOfMap } from "./suggest/stretch.js";
import { NAMES, percent } from "./suggest/parts.js";
import { button, counted, el } from "./tables/kit.js";
import { calmly } from "./tables/redraw.js";

const HEAD = ["kind", "known", "looked at", "to look at", "sure", "unsure", "unlike anything shown"];

let app;
let root;
let shown = "";
let stop = null;
let screen = null;
let waiting = false;
let missed = false; // whether there was news while the studio was asked

export default {
  name: "suggest",
  title: "Suggest",
  mount(place, given) {
    root = place;
    app = given;
  },
  async show(target) {
    if (!stop) stop = app.onState(() => screen || refresh());
    const [what, layer, ...rest] = target ? target.split(":") : [];
    if (what === "soonest" || what === "asked") return open(() => stretchOfMap(app, root, back, { only: what }));
    if (what === "stretch") return open(() => stretchOfMap(app, root, back, { cell: layer ?? "", layers: rest[0] ?? "terrain" }));
    if (what === "double") return sheet("double", layer || "terrain");
    if (!screen) await refresh(true);
  },
  hide() {
    stop?.();
    stop = null;
  },
};

/** Shows a screen in place of the overview. */
async function open(make) {
  screen?.close?.();
  screen = { close() {} };
  try {
    screen = await make();
  } catch (error) {
    screen = null;
    app.say(error.message);
    await refresh(true);
  }
}

async function back() {
  screen?.close?.();
  screen = null;
  shown = "";
  await refresh(true);
  root.querySelector("button")?.focus();
}

function sheet(what, layer, kind = "") {
  return open(() => contactSheet(app, root, back, { what, layer, kind }));
}

/** Draws the overview anew if anything on it has changed. */
async function refresh(now = false) {
  if (waiting && !now) {
    missed = true;
    return;
  }
  waiting = true;
  missed = false;
  try {
    const found = await app.get("/api/suggest");
    const mark = JSON.stringify([found, app.state?.jobs, app.state?.reader]);
    if (screen || (mark === shown && !now)) return;
    shown = mark;
    calmly(() => screen || draw(found));
  } catch (error) {
    if (!screen) root.replaceChildren(el("p", { className: "about" }, error.message));
  } finally {
    waiting = false;
    if (missed && !screen) refresh();
  }
}

function draw(found) {
  const focus = document.activeElement?.dataset?.at;
  const jobs = app.state?.jobs ?? [];
  const busy = jobs.find((job) => job.name === "suggesting");
  const reader = app.state?.reader;
  const hexes = found.pictures.map((one) => `${one.title}: ${counted(one.hexes, "hex", "hexes")}`).join("; ");
  const parts = [
    el("p", { className: "about" },
      "Show the program a few cells of each kind. It suggests the rest from the picture of the map. Nothing counts as known until " +
      "somebody has looked at it: look through the sheets, click what is wrong, and confirm the others."),
    el("p", { className: "about quiet" }, hexes),
    el("div", { className: "row" },
      button(busy ? "Suggesting …" : found.suggested ? "Suggest again" : "Suggest the rest", () => app.tried(() => app.post("/api/suggest/run")), {
        className: "main", disabled: Boolean(busy) || reader, data: { at: "run" } }),
      busy ? button("Stop", () => app.post("/api/cancel", { name: "suggesting" }), { data: { at: "stop" } }) : null,
      button("Look at a stretch of the map", () => open(() => stretchOfMap(app, root, back, {})), { data: { at: "stretch" } }),
      button("Look at what decides soonest", () => open(() => stretchOfMap(app, root, back, { only: "soonest" })), { data: { at: "soonest" } }),
      found.doubles ? button(`Type ${counted(found.doubles, "cell")} a second time`, () => sheet("double", "terrain"), { data: { at: "double" } }) : null),
    ...found.problems.map((text) => el("p", { className: "about bad" }, text)),
    ...found.sheets.flatMap(warnings),
    empty(found, reader),
    ...found.layers.map((layer) => drawLayer(layer, found, reader)),
    checks(found.checks),
  ];
  root.replaceChildren(...parts.filter(Boolean));
  if (focus) root.querySelector(`[data-at="${CSS.escape(focus)}"]`)?.focus();
}

function warnings(sheet) {
  const found = [];
  if (sheet.fits === false) {
    found.push(`${sheet.title}: the printed grid is not where the module's is (by ${sheet.off.toFixed(2)} of a hex), so no side is sure.`);
  }
  for (const [one, other] of sheet.mixed) {
    found.push(`${sheet.title}: ${one} and ${other} were shown with the same look; neither is sure. Is an example wrong?`);
  }
  for (const [layer, kinds] of Object.entries(sheet.strange)) {
    if (kinds.length) {
      found.push(`${NAMES[layer]}: the examples of ${kinds.join(", ")} do not look alike enough to tell them from nothing. ` +
        "Show clearer ones, or paint these by hand.");
    }
  }
  for (const [layer, pairs] of Object.entries(sheet.confused)) {
    for (const [one, other] of pairs) {
      found.push(`${NAMES[layer]}: the examples of ${one} and of ${other} do not look different enough, so neither is sure. ` +
        "Show clearer ones of both; is an example wrong?");
    }
  }
  for (const [layer, kinds] of Object.entries(sheet.single)) {
    if (kinds.length) {
      found.push(`${NAMES[layer]}: ${kinds.join(", ")}: only one example, so neither such a side nor an empty one is sure. Show a second one.`);
    }
  }
  for (const [layer, why] of Object.entries(sheet.silent)) found.push(`${NAMES[layer]}: ${why}.`);
  return found.map((text) => el("p", { className: "about" }, text));
}

/** The hexsides that moves wait for, and of which only has to be said that nothing is there. */
function empty(found, reader) {
  if (!found.empty) return null;
  return el("section", { className: "layer" },
    el("h2", {}, "Empty hexsides"),
    el("div", { className: "row" },
      button(`Look through ${counted(found.empty, "side")}`, () => sheet("nothing", "hexsides"), { disabled: reader, data: { at: "empty" } }),
      el("span", {}, "Open moves wait only for these, not for the rest of the map.")));
}

function drawLayer(one, found, reader) {
  const sure = one.kinds.reduce((sum, kind) => sum + kind.sure, 0);
  const unsure = one.kinds.reduce((sum, kind) => sum + kind.unsure, 0);
  const rows = one.kinds.map((kind) => row(one.layer, kind, reader, found.touching));
  const fill = (also) => accept(one.layer, also);
  return el("section", { className: "layer" },
    el("h2", {}, NAMES[one.layer]),
    el("div", { className: "row" },
      button("Show examples", () => sheet("offer", one.layer), { disabled: reader, data: { at: `${one.layer} offer` } }),
      sure ? button("Type 60 blind", () => sheet("blind", one.layer), { disabled: reader, data: { at: `${one.layer} blind` } }) : null,
      sure ? button(`Fill in ${counted(sure, "sure cell")}`, () => fill(false), { disabled: reader, data: { at: `${one.layer} fill` } }) : null,
      ...Object.entries(one.ends).map(([kind, many]) =>
        button(`See where a ${kind} stops short (${many})`, () => sheet("ends", one.layer, kind), { disabled: reader, data: { at: `${one.layer} ends ${kind}` } })),
      unsure ? button(`and ${counted(unsure, "unsure one")}`, () => fill(true), { disabled: reader, data: { at: `${one.layer} unsure` } }) : null,
      one.checked ? el("span", {}, checkText(one.checked)) : null),
    rows.length
      ? el("div", { className: "scroll" },
          el("table", {},
            el("thead", {}, el("tr", {}, ...[...HEAD, ""].map((text, i) => el("th", { className: i && i < 7 ? "number" : "" }, text)))),
            el("tbody", {}, ...rows)))
      : el("p", { className: "quiet" }, "Nothing is known yet. Show examples, or paint some in the Board view."));
}

function row(layer, kind, reader, touching) {
  const name = kind.kind === "none" ? "nothing" : kind.kind;
  const look = kind.unseen + kind.sure + kind.unsure + kind.unlike;
  const cells = [kind.known, kind.looked, kind.unseen, kind.sure, kind.unsure, kind.unlike];
  return el("tr", {},
    el("td", {}, name),
    ...cells.map((n, i) => {
      const cell = el("td", { className: "number" }, n.toLocaleString("en"));
      cell.dataset.head = HEAD[i + 1];
      return cell;
    }),
    el("td", {}, look && kind.kind === "none" && touching ? el("span", { className: "quiet" }, "above, where moves wait for it")
      : look ? button("Look through", () => sheet("kind", layer, kind.kind), { data: { at: `${layer} ${kind.kind}` }, disabled: reader, "aria-label": `Look through ${name}` })
      : ""));
}

function checkText({ typed, wrong, at_most }) {
  return `Typed blind: ${wrong} of ${typed} suggestions wrong; of all of them at most ${percent(at_most)} are (95 %).`;
}

function checks(found) {
  if (!found.length) return null;
  const lines = found.map((one) =>
    el("li", {}, `${NAMES[one.layer] ?? one.layer}, ${String(one.id).split(" ").pop().slice(0, 10)}, ${one.who}: ` +
      `${one.wrong} of ${one.typed} wrong, at most ${percent(one.at_most)}`));
  return el("section", { className: "layer" }, el("h2", {}, "Blind checks kept with the pack"), el("ul", {}, ...lines));
}

async function accept(layer, unsure) {
  const answer = await app.tried(() => app.post("/api/suggest/accept", { layer, unsure }));
  if (answer?.needs === "blind") {
    app.say("Before so many are filled in at once, type 60 of them blind.");
    return sheet("blind", layer);
  }
  if (answer) app.say(`${counted(answer.accepted, "cell")} filled in as suggested. They count as not known until somebody looks at them.`);
  return refresh(true);
}
