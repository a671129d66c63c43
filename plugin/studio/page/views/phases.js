// Which steps are which phase: a timeline of all logs, guesses to correct, and one segment at a time to confirm.

import { desk } from "./phases/desk.js";
import { correct, take, waiting } from "./phases/guesses.js";
import { left } from "./phases/looking.js";
import { pattern } from "./phases/pattern.js";
import { holds, key, now, part } from "./phases/state.js";
import { counted, el } from "./tables/kit.js";
import { calmly } from "./tables/redraw.js";
import { draw, reveal } from "./phases/timeline.js";

const NO_MOVES = "No unit is known to have moved yet: say first, in Units, which counters are units";
let asking = 0, reading = null;

export default {
  name: "phases",
  title: "Phases",

  async mount(root, app) {
    Object.assign(now, { root, app, choose, reload: load, redraw, corrected, onward });
    root.append(
      el("p", {},
        "A move is judged only where its phase is known. Below are guesses, from what was said in the chat, from turn trackers, " +
        "from who moved and from dice. A guess writes nothing: choose one, correct it, look at what is listed, then confirm it."),
      el("div", { className: "buttons" },
        el("button", { type: "button", className: "main", textContent: "Next one to confirm", onclick: next }),
        el("span", { "data-part": "summary", role: "status" })),
      el("div", { className: "legend", "data-part": "legend" }),
      el("div", { className: "columns" },
        el("div", { className: "logs", "data-part": "logs" }),
        el("section", { className: "desk", "data-part": "desk", "aria-label": "The chosen segment" })),
      pattern(),
    );
    addEventListener("resize", () => root.hidden || requestAnimationFrame(redraw));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    await load();
    let revision = app.state?.revision;
    app.onState((state) => {
      if (now.chosen && !root.hidden) left();
      if (state.revision === revision || state.judging) return;
      revision = state.revision;
      if (!root.hidden) load();
    });
  },

  async show(target) {
    if (now.told) {
      redraw(); // what was drawn while the view was hidden has no width
      reveal();
    }
    await load();
    const found = target && now.segments.find((one) => key(one) === target || holds(one, target));
    if (found) choose(found);
  },

  hide() {},
};

/** Reads the guesses anew; done when the newest reading is, so that whoever waits for it sees what is so now. */
function load() {
  reading = read(++asking);
  return reading;
}

async function read(mine) {
  const found = await now.app.tried(() => now.app.get("/api/phases"));
  if (!found) return undefined;
  if (mine !== asking) return reading;
  now.told = found;
  take();
  await recount();
  if (mine !== asking) return reading;
  calmly(reread);
}

/** Shows what was read. */
function reread() {
  const before = now.chosen; // another may have been chosen meanwhile
  now.chosen = before ? now.segments.find((one) => key(one) === key(before)) ?? now.segments.find((one) => one.first === before.first) ?? null : null;
  redraw();
  if (!now.chosen || now.chosen !== before || !part("desk").firstChild) choose(now.chosen ?? waiting()[0] ?? now.segments[0] ?? null);
  else desk(false);
}

/** Counts the moves of segments whose borders were changed. */
async function recount() {
  const cut = now.segments.filter((one) => one.cut);
  if (!cut.length) return;
  const told = await now.app.tried(() => now.app.get(`/api/phases/counts?${new URLSearchParams({ spans: cut.map(key).join(" ") })}`));
  if (told) cut.forEach((one, n) => Object.assign(one, told.counts[n]));
}

/** After the borders of segments were changed by hand. */
async function corrected(...segments) {
  for (const one of segments) one.cut = true;
  correct(...segments);
  redraw();
  if (segments.includes(now.chosen)) choose(now.chosen);
  await recount();
  calmly(redraw);
}

function redraw() {
  if (!now.told) return;
  const left = waiting(), done = now.told.confirmed.filter((one) => one.known).length;
  const moves = left.reduce((number, one) => number + one.moves, 0);
  part("summary").textContent = `${left.length ? `${counted(left.length, "guess", "guesses")} with ${counted(moves, "move")} to confirm` : whyNone()}; ${counted(done, "phase")} confirmed`;
  draw();
}

/** Why nothing waits to be confirmed. */
function whyNone() {
  if (!now.told.logs.length) return "No logs are open, so there are no phases to confirm";
  if (!now.app.state?.judged) return "The moves are still being judged; it is known in a moment which phases they wait for";
  if (!now.segments.some((one) => one.moves)) return NO_MOVES;
  return "Nothing waits to be confirmed: the phase of every move is known";
}

function next() {
  const all = waiting();
  if (!all.length) {
    now.app.say(`${whyNone()}.`);
    return;
  }
  const to = all[(all.indexOf(now.chosen) + 1) % all.length];
  if (to === now.chosen) now.app.say("This is the only one that is left to confirm.");
  choose(to);
  part("desk").querySelector("h2")?.focus({ preventScroll: true });
}

/** After one was confirmed: the next that waits, if there is one. */
function onward() {
  const all = waiting();
  choose(all[0] ?? now.chosen);
  part("desk").querySelector("h2")?.focus({ preventScroll: true });
}

function choose(segment, step = null) {
  now.chosen = segment;
  redraw();
  reveal();
  desk(true, step);
  const place = part("desk").getBoundingClientRect(); // below the timeline, on a phone
  if (!now.root.hidden && (place.top > innerHeight - 100 || place.bottom < 0)) part("desk").scrollIntoView({ block: "start" });
}
