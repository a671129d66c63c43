// Which steps are which phase: a timeline of all logs, guesses to correct, and one segment at a time to confirm.

let app;
let root;
let told = null; // what /api/phases said
let segments = []; // the guesses as they stand, corrected by hand
let chosen = null;
let touched = false;
let shown = new Set(); // steps that stood on the screen and are still to be reported
let reporting = 0;
let asking = 0;
let watcher;

const el = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};
const NO_MOVES = "No unit is known to have moved yet: say first, in Units, which counters are units";
const stepOf = (at) => Number(at.split(":")[1]);
const logOf = (at) => Number(at.split(":")[0]);
const key = (segment) => `${segment.first}-${segment.last}`;
const part = (name) => root.querySelector(`[data-part=${name}]`);
const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

export default {
  name: "phases",
  title: "Phases",

  async mount(into, given) {
    [root, app] = [into, given];
    root.append(
      el("p", {},
        "A move is judged only where its phase is known. Below are guesses, from what was said in the chat, from turn trackers, " +
        "from who moved and from dice. A guess enters nothing: choose one, correct it, look at what is listed, then confirm it."),
      el("div", { className: "buttons" },
        el("button", { type: "button", className: "main", textContent: "Next one to confirm", onclick: next }),
        el("span", { "data-part": "summary", role: "status" })),
      el("div", { className: "legend", "data-part": "legend" }),
      el("div", { className: "columns" },
        el("div", { className: "logs", "data-part": "logs" }),
        el("section", { className: "desk", "data-part": "desk", "aria-label": "The chosen segment" })),
      pattern(),
    );
    watcher = new IntersectionObserver(look, { threshold: 0.6 });
    addEventListener("resize", () => root.hidden || requestAnimationFrame(draw));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
    await load();
    let revision = app.state?.revision;
    app.onState((state) => {
      if (state.revision === revision || state.judging) return;
      revision = state.revision;
      if (!root.hidden) load();
    });
  },

  async show(target) {
    draw(); // what was drawn while the view was hidden has no width
    reveal();
    await load();
    const found = target && segments.find((one) => key(one) === target || one.first === target);
    if (found) choose(found);
  },

  hide() {},
};

async function load() {
  const mine = ++asking;
  let found;
  try {
    found = await app.get("/api/phases");
  } catch (error) {
    app.say(error.message);
    return;
  }
  if (mine !== asking) return;
  told = found;
  const before = chosen;
  if (!touched) {
    const old = new Map(segments.map((one) => [key(one), one])); // the same objects, so that nothing chosen is lost
    segments = told.proposed.map((one) => Object.assign(old.get(key(one)) ?? { combat: null }, one));
  }
  for (const one of segments) one.settled = settledBy(one) !== null || Boolean(one.known && !touched);
  for (const one of told.confirmed) {
    const same = segments.find((s) => s.first === one.first && s.last === one.last);
    if (same) Object.assign(same, { turn: one.turn, phase: one.phase, active: one.active, combat: one.combat });
  }
  chosen = before ? segments.find((one) => key(one) === key(before)) ?? before : null;
  draw();
  if (!chosen || !part("desk").firstChild) choose(chosen ?? waiting()[0] ?? segments[0] ?? null);
  else desk(false);
}

function settledBy(segment) {
  const at = (text) => (text ? logOf(text) * 1e7 + stepOf(text) : Infinity);
  return told.confirmed.find((one) =>
    one.known && at(one.first) <= at(segment.first) && at(segment.last) <= at(one.last)) ?? null;
}

/** The guesses that are not confirmed, those first that most moves wait for. */
function waiting() {
  return segments
    .filter((one) => !one.settled && one.moves)
    .sort((a, b) => (b.unverifiable ?? 0) - (a.unverifiable ?? 0));
}

/** Whether there is any move to judge in the logs. */
function movesFound() {
  return segments.some((one) => one.moves);
}

function next() {
  const [first] = waiting().filter((one) => one !== chosen);
  if (first) choose(first);
  else app.say(movesFound() ? "No moves wait for a phase any more." : `${NO_MOVES}.`);
}

// -- the timeline ---------------------------------------------------------------------------------

function draw() {
  const left = waiting();
  part("summary").textContent = left.length
    ? `${count(left.length, "guess").replace("guesss", "guesses")} with ${count(left.reduce((n, one) => n + one.moves, 0), "move")} to confirm; ` +
      `${count(told.confirmed.filter((one) => one.known).length, "phase")} confirmed`
    : `${movesFound() ? "Nothing waits to be confirmed" : NO_MOVES}; ${count(told.confirmed.filter((one) => one.known).length, "phase")} confirmed`;
  part("legend").replaceChildren(
    ...told.sides.map((side, n) => el("span", { className: `s${n < 2 ? n : "x"}`, textContent: `moved by ${side}` })),
    el("span", { className: "talk", textContent: "chat" }),
    el("span", { className: "dice", textContent: "dice" }),
    el("span", { className: "back", textContent: "taken back" }),
  );
  const kept = part("logs").scrollTop;
  part("logs").replaceChildren(...told.logs.map(lane));
  part("logs").scrollTop = kept;
  if (!told.logs.length) part("logs").append(el("p", { textContent: "No logs are open." }));
  part("logs").querySelectorAll("canvas").forEach(paint);
}

function lane(log) {
  const last = Math.max(1, ...log.steps.map(([step]) => step));
  const title = el("h3", {}, `Log ${log.log} `, el("small", {},
    `${log.name} · ${count(log.steps.length, "step")}${log.saved ? ` · saved ${log.saved}` : ""}`));
  const canvas = el("canvas", { role: "img", "aria-label": `Log ${log.log}: who moved, chat, dice and take-backs step by step` });
  Object.assign(canvas, { log, lastStep: last });
  canvas.onclick = (event) => {
    const step = Math.max(1, Math.round((event.offsetX / canvas.clientWidth) * last));
    const found = segments.find((s) => logOf(s.first) === log.log && stepOf(s.first) <= step && step <= stepOf(s.last));
    if (found) choose(found, step);
  };
  const bars = el("div", { className: "bars" });
  const mine = segments.filter((one) => logOf(one.first) === log.log);
  for (const one of mine) {
    const bar = el("button", { type: "button", className: `bar${one.settled ? " settled" : ""}` });
    bar.textContent = `${one.settled ? "✓ " : ""}${one.phase || "?"}`;
    bar.title = `steps ${stepOf(one.first)}–${stepOf(one.last)}: ${[one.turn, one.phase || "phase not known", one.active].filter(Boolean).join(", ")}`;
    bar.setAttribute("aria-label", bar.title + (one.settled ? (one.known ? ", known" : ", confirmed") : ""));
    bar.setAttribute("aria-pressed", String(one === chosen));
    bar.style.left = `${((stepOf(one.first) - 1) / last) * 100}%`;
    bar.style.width = `${((stepOf(one.last) - stepOf(one.first) + 1) / last) * 100}%`;
    bar.onclick = () => choose(one);
    bars.append(bar);
  }
  mine.slice(1).forEach((one, n) => !one.settled && !mine[n].settled && bars.append(handle(mine[n], one, last, bars)));
  return el("div", { className: "log" }, title, el("div", { className: "lane" }, canvas, bars));
}

/** The border between two segments, to be dragged or moved with the arrow keys. */
function handle(before, after, last, bars) {
  const made = el("div", {
    className: `handle${before === chosen || after === chosen ? " near" : ""}`, tabIndex: 0, role: "slider",
    "aria-label": "Border between two segments", "aria-orientation": "horizontal",
  });
  const place = () => {
    made.style.left = `${((stepOf(after.first) - 1) / last) * 100}%`;
    made.setAttribute("aria-valuemin", stepOf(before.first) + 1);
    made.setAttribute("aria-valuemax", stepOf(after.last));
    made.setAttribute("aria-valuenow", stepOf(after.first));
    made.setAttribute("aria-valuetext", `step ${stepOf(after.first)}`);
  };
  const to = (step) => {
    step = Math.min(stepOf(after.last), Math.max(stepOf(before.first) + 1, step));
    before.last = `${logOf(before.first)}:${step - 1}`;
    after.first = `${logOf(after.last)}:${step}`;
    touched = true;
    place();
  };
  const done = () => {
    draw();
    if (chosen === before || chosen === after) desk(true);
  };
  made.onpointerdown = (event) => {
    made.setPointerCapture(event.pointerId);
    made.onpointermove = (moved) => {
      const box = bars.getBoundingClientRect();
      to(Math.round(((moved.clientX - box.left) / box.width) * last) + 1);
    };
    made.onpointerup = made.onpointercancel = () => {
      made.onpointermove = made.onpointerup = made.onpointercancel = null;
      done();
    };
    event.preventDefault();
  };
  made.onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (!by) return;
    event.preventDefault();
    to(stepOf(after.first) + by);
    const index = [...root.querySelectorAll(".handle")].indexOf(made);
    done();
    root.querySelectorAll(".handle")[index]?.focus();
  };
  place();
  return made;
}

function paint(canvas) {
  const { log, lastStep } = canvas;
  const width = canvas.clientWidth;
  const scale = devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = 52 * scale;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue(name).trim();
  const wide = Math.max(1, width / lastStep);
  for (const [step, side, moved, dice, lines, undo] of log.steps) {
    const x = ((step - 1) / lastStep) * width;
    if (moved) {
      pen.fillStyle = colour(side === 0 ? "--side-0" : side === 1 ? "--side-1" : "--side-x");
      pen.fillRect(x, 3, wide, 20);
    }
    if (lines) {
      pen.fillStyle = colour("--talk");
      pen.beginPath();
      pen.arc(x + wide / 2, 29, 2.2, 0, 7);
      pen.fill();
    }
    if (dice) {
      pen.fillStyle = colour("--dice");
      pen.fillRect(x, 35, Math.max(wide, 2), 8);
    }
    if (undo) {
      pen.fillStyle = colour("--back");
      pen.fillRect(x, 46, Math.max(wide, 2), 3);
    }
  }
}

// -- the chosen segment ---------------------------------------------------------------------------

function choose(segment, step = null) {
  chosen = segment;
  draw();
  reveal();
  desk(true, step);
}

/** Scrolls the timeline to the chosen segment. */
function reveal() {
  const list = part("logs");
  const log = list.querySelector(".bar[aria-pressed=true]")?.closest(".log");
  if (!log) return;
  const [mine, all] = [log.getBoundingClientRect(), list.getBoundingClientRect()];
  if (mine.top < all.top || mine.bottom > all.bottom) list.scrollTop += mine.top - all.top - 20;
}

function field(title, input) {
  return el("label", {}, title, input);
}

function desk(anew, step = null) {
  const into = part("desk");
  if (!chosen) {
    into.replaceChildren(el("p", { textContent: told.logs.length ? "Nothing is chosen." : "Open the studio with the logs of a game." }));
    return;
  }
  const settled = settledBy(chosen);
  if (!anew && into.dataset.key === key(chosen) && into.dataset.settled === String(Boolean(settled))) {
    verdicts();
    unheard();
    return;
  }
  into.dataset.key = key(chosen);
  into.dataset.settled = String(Boolean(settled));
  const log = logOf(chosen.first);
  const set = (name) => (event) => {
    chosen[name] = event.target.value;
    touched = true;
    draw();
    if (name === "active") rows();
    if (name === "phase") unheard();
  };
  const border = (name) => (event) => {
    const to = `${log}:${Math.max(1, Number(event.target.value) || 1)}`;
    if (name === "first" ? stepOf(to) > stepOf(chosen.last) : stepOf(to) < stepOf(chosen.first)) {
      event.target.value = stepOf(chosen[name]);
      app.say("The first step has to lie before the last.");
      return;
    }
    moveBorder(chosen, name, to);
  };
  const number = (name) => el("input", { type: "number", min: 1, value: stepOf(chosen[name]), onchange: border(name), disabled: Boolean(settled) });
  const sides = el("select", { onchange: set("active"), disabled: Boolean(settled) },
    ...["", ...told.sides].map((side) => el("option", { value: side, textContent: side || "not said", selected: side === chosen.active })));
  const parts = [
    el("h2", { textContent: `Log ${log}, steps ${stepOf(chosen.first)} to ${stepOf(chosen.last)}` }),
    el("p", { "data-part": "verdicts" }),
    el("div", { className: "fields" },
      field("First step", number("first")),
      field("Last step", number("last")),
      field("Turn", el("input", { value: chosen.turn, maxLength: 80, onchange: set("turn"), disabled: Boolean(settled) })),
      field("Phase", el("input", { value: chosen.phase, maxLength: 80, list: "phase-names", onchange: set("phase"), disabled: Boolean(settled) })),
      field("Whose phase", sides)),
    el("datalist", { id: "phase-names" }, ...told.phases.map((value) => el("option", { value }))),
    el("div", { "data-part": "unheard" }),
  ];
  if (settled) {
    parts.push(
      el("p", {}, `Confirmed: ${[settled.turn, settled.phase || "combat", settled.active].filter(Boolean).join(", ")}, steps ${settled.first} to ${settled.last || "the end"}.`),
      el("div", { className: "buttons" }, el("button", { type: "button", textContent: "Take it out again", onclick: () => remove(settled) })));
  } else {
    parts.push(...working(step));
  }
  parts.push(everything());
  into.replaceChildren(...parts);
  into.scrollTop = 0;
  verdicts();
  unheard();
  if (!settled) rows();
}

/** Where the pack has no such phase: what may be so of it, to be taken over in one step. */
function unheard() {
  const name = chosen.phase.trim();
  const known = !name || told.phases.includes(name);
  const form = told.forms[0] ?? "move";
  part("unheard").replaceChildren(...(known || told.forms.length > 1 ? [] : [
    el("p", {}, `The pack has no phase ${name}, so no move in it is judged. If in it units of the side whose phase it is ` +
      `move, all by one form (${form}), and nothing else displaces any unit, take this over; if not, write it in the Rules view.`),
    el("div", { className: "buttons" }, el("button", { type: "button", textContent: `Yes, ${name} is such a phase`,
      disabled: Boolean(app.state?.reader), onclick: () => takeOver(name, form) })),
  ]));
}

async function takeOver(name, form) {
  const one = (table, now) => ({ kind: "stanza", file: "pack", table, was: null, now });
  const edits = [one("phase", { name, movers: "active", forms: [form], complete: true })];
  if (!told.forms.length) edits.push(one("form", { name: form }));
  await app.edit(edits, `the phase ${name}`);
  await load();
  unheard();
}

function working(step) {
  const known = chosen.known
    ? [el("p", { className: "known" }, `Known already: ${chosen.known} tells it, and the pack vouches for that. There is nothing to confirm.`)]
    : [];
  const why = chosen.why?.length
    ? [el("h3", { textContent: "Why this is guessed" }), el("ul", { className: "why" }, ...chosen.why.slice(0, 8).map((text) => el("li", { textContent: text })))]
    : [];
  const meaning = (value, text) => {
    const input = el("input", { type: "radio", name: "combat", checked: chosen.combat === value });
    input.onchange = () => {
      chosen.combat = value;
      touched = true;
    };
    return el("label", {}, input, text);
  };
  const at = el("input", { type: "number", min: stepOf(chosen.first) + 1, max: stepOf(chosen.last), "aria-label": "Step to split at" });
  at.value = step && step > stepOf(chosen.first) ? step : "";
  return [
    ...known,
    ...why,
    el("fieldset", {},
      el("legend", { textContent: "Dice, and what the other side did in these steps" }),
      meaning(null, "nothing is said of it"),
      meaning(false, "belong to this phase"),
      meaning(true, "these steps were combat within a phase around them")),
    el("div", { className: "buttons" },
      el("label", {}, "Split at step ", at),
      el("button", { type: "button", textContent: "Split", onclick: () => split(Number(at.value)) }),
      el("button", { type: "button", textContent: "Join with the next", onclick: join })),
    el("h3", { textContent: "Look at these first" }),
    el("p", { className: "left", "data-part": "left", role: "status", textContent: "…" }),
    el("ol", { className: "rows", "data-part": "rows", tabIndex: 0, "aria-label": "Both borders, all dice and what the other side did" }),
    el("div", { className: "buttons" },
      el("button", { type: "button", className: "main", disabled: true, "data-part": "confirm", textContent: "Confirm this segment", onclick: confirmIt }),
      el("button", { type: "button", textContent: "What would be?", onclick: wouldBe })),
    el("p", { "data-part": "would", role: "status" }),
  ];
}

function verdicts() {
  const { moves = 0, legal = 0, illegal = 0, unverifiable = 0 } = chosen;
  const line = part("verdicts");
  if (line) {
    line.textContent = moves
      ? `${count(moves, "move")} in it: ${legal} legal, ${illegal} illegal, ${unverifiable} unverifiable now.`
      : "No moves to judge in it.";
  }
  const would = told.would[key(chosen)];
  const said = part("would");
  if (said && would) {
    said.textContent = `If these steps were ${would.phase || "this phase"}${would.active ? ` of the ${would.active}` : ""}: ` +
      `${count(would.moves, "move")}, ${would.legal} legal, ${would.illegal} illegal, ${would.unverifiable} unverifiable. Nothing was entered.`;
  }
}

function query(more = {}) {
  const { first, last, turn, phase, active } = chosen;
  return new URLSearchParams({ first, last, turn, phase, active, ...more });
}

let wanted = [];

async function rows() {
  const list = part("rows");
  if (!list) return;
  const mine = chosen;
  watcher.disconnect();
  let found;
  try {
    found = await app.get(`/api/phases/inspect?${query()}`);
  } catch (error) {
    list.replaceChildren(el("li", { textContent: error.message }));
    return;
  }
  if (mine !== chosen || !list.isConnected) return;
  Object.assign(chosen, found.counts);
  verdicts();
  wanted = found.rows;
  list.replaceChildren(...wanted.map(row));
  list.querySelectorAll("li:not(.seen)").forEach((item) => watcher.observe(item));
  left();
}

function row(one) {
  const side = told.sides.indexOf(one.side);
  const because = one.because?.length ? ` · ${one.because.join(", ")}` : "";
  const item = el("li", { className: `${side === 0 ? "s0" : side === 1 ? "s1" : ""}${one.seen ? " seen" : ""}` });
  item.dataset.at = one.at;
  item.append(el("p", {}, el("b", { textContent: `Step ${stepOf(one.at)}` }), ` ${one.side || "side not known"}${one.undo ? " · takes something back" : ""}${because}`));
  for (const text of one.moves) item.append(el("p", { textContent: text }));
  if (one.more) item.append(el("p", { className: "quiet", textContent: `and ${one.more} more` }));
  for (const text of one.dice) item.append(el("p", { className: "dice", textContent: `Dice: ${text}` }));
  for (const text of one.chat) item.append(el("p", { className: "chat", textContent: `“${text}”` }));
  if (item.children.length === 1) item.append(el("p", { className: "quiet", textContent: "nothing that may be shown" }));
  return item;
}

function look(entries) {
  if (document.hidden) return;
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    target.classList.add("seen");
    shown.add(target.dataset.at);
    const one = wanted.find((row) => row.at === target.dataset.at);
    if (one) one.seen = true;
  }
  clearTimeout(reporting);
  reporting = setTimeout(report, 150);
}

async function report() {
  const steps = [...shown];
  shown = new Set();
  if (steps.length) {
    try {
      await app.post("/api/phases/seen", { steps });
    } catch (error) {
      steps.forEach((at) => shown.add(at));
      app.say(error.message);
    }
  }
  left();
}

function left() {
  const open = wanted.filter((one) => !one.seen).length;
  const line = part("left");
  if (!line) return;
  line.textContent = open
    ? `${wanted.length - open} of ${count(wanted.length, "step")} seen. Scroll through the list: both borders, all dice, and what the other side did.`
    : `All ${wanted.length} seen.`;
  part("confirm").disabled = open > 0 || !chosen.phase || Boolean(app.state?.reader);
  part("confirm").title = chosen.phase ? "" : "Say which phase it is";
}

function everything() {
  const list = el("ol", { className: "rows" });
  const more = el("button", { type: "button", textContent: "Show more" });
  const box = el("details", {}, el("summary", { textContent: "All steps of this segment" }), list, more);
  let from = chosen.first;
  const segment = chosen;
  const fill = async () => {
    try {
      const found = await app.get(`/api/phases/steps?${new URLSearchParams({ first: from, last: segment.last })}`);
      list.append(...found.rows.map(row));
      more.hidden = !found.more;
      if (found.rows.length) from = `${logOf(segment.first)}:${stepOf(found.rows.at(-1).at) + 1}`;
    } catch (error) {
      app.say(error.message);
    }
  };
  more.onclick = fill;
  more.hidden = true;
  box.ontoggle = () => box.open && !list.firstChild && fill();
  return box;
}

// -- changing guesses -----------------------------------------------------------------------------

function moveBorder(segment, name, to) {
  const log = logOf(segment.first);
  const mine = segments.filter((one) => logOf(one.first) === log);
  const end = Math.max(...told.logs[log - 1].steps.map(([step]) => step));
  const at = mine.indexOf(segment);
  const beside = name === "first" ? mine[at - 1] : mine[at + 1];
  let step = Math.min(end, stepOf(to));
  if (beside && !beside.settled) {
    if (name === "first") {
      step = Math.max(step, stepOf(beside.first) + 1);
      beside.last = `${log}:${step - 1}`;
    } else {
      step = Math.min(step, stepOf(beside.last) - 1);
      beside.first = `${log}:${step + 1}`;
    }
  }
  segment[name] = `${log}:${step}`;
  touched = true;
  draw();
  desk(true);
}

function split(step) {
  if (!(step > stepOf(chosen.first) && step <= stepOf(chosen.last))) {
    app.say(`Name a step from ${stepOf(chosen.first) + 1} to ${stepOf(chosen.last)}; the second part begins with it.`);
    return;
  }
  const log = logOf(chosen.first);
  const second = { ...chosen, first: `${log}:${step}`, why: ["split by hand"], moves: 0, settled: false };
  chosen.last = `${log}:${step - 1}`;
  segments.splice(segments.indexOf(chosen) + 1, 0, second);
  touched = true;
  choose(chosen);
}

function join() {
  const after = segments[segments.indexOf(chosen) + 1];
  if (!after || logOf(after.first) !== logOf(chosen.first) || after.settled) {
    app.say("There is no next segment in this log to join with.");
    return;
  }
  chosen.last = after.last;
  segments.splice(segments.indexOf(after), 1);
  touched = true;
  choose(chosen);
}

async function confirmIt() {
  const { first, last, turn, phase, active, combat } = chosen;
  await report();
  try {
    const { refused } = await app.post("/api/phases/confirm", { first, last, turn, phase, active, combat });
    if (refused.length) app.say(refused[0].why || "The facts file says something else by now; nothing was overwritten.");
    else app.say(`Confirmed: ${phase}, steps ${first} to ${last}.`);
    await load();
    desk(true);
  } catch (error) {
    app.say(error.message);
  }
}

async function remove({ first, last }) {
  try {
    await app.post("/api/phases/remove", { first, last });
    await load();
    desk(true);
  } catch (error) {
    app.say(error.message);
  }
}

async function wouldBe() {
  const { first, last, turn, phase, active, combat } = chosen;
  try {
    await app.post("/api/phases/would", { first, last, turn, phase, active, combat });
    part("would").textContent = "This is being worked out; nothing is entered.";
  } catch (error) {
    app.say(error.message);
  }
}

// -- patterns for chat ----------------------------------------------------------------------------

function pattern() {
  const input = el("input", { type: "text", spellcheck: false, autocomplete: "off", placeholder: "(?P<turn>JUNE [0-9]+) TURN" });
  const said = el("p", { role: "status" });
  const list = el("ol", { className: "rows", tabIndex: 0, "aria-label": "Lines of the chat that fit", hidden: true });
  const keep = el("button", { type: "button", textContent: "Keep this pattern in the pack", disabled: true });
  let turn = 0;
  const attempt = async () => {
    const mine = ++turn;
    try {
      const found = await app.get(`/api/phases/try?${new URLSearchParams({ pattern: input.value })}`);
      if (mine !== turn) return;
      said.textContent = found.problem || (input.value ? `${count(found.count, "line")} of the chat fit${found.count === 1 ? "s" : ""}.` : "");
      list.hidden = !found.lines.length;
      list.replaceChildren(...found.lines.map(({ at, side, text, groups }) => {
        const at_ = told.sides.indexOf(side);
        return el("li", { className: at_ === 0 ? "s0" : at_ === 1 ? "s1" : "" },
          el("p", {}, el("b", { textContent: `Log ${logOf(at)}, step ${stepOf(at)}: ` }), Object.entries(groups).map(([name, value]) => `${name} ${value}`).join(", ") || "names nothing"),
          el("p", { className: "chat", textContent: `“${text}”` }));
      }));
      keep.disabled = Boolean(found.problem) || !found.count || Boolean(app.state?.reader);
    } catch (error) {
      said.textContent = error.message;
    }
  };
  input.oninput = attempt;
  keep.onclick = async () => {
    try {
      const { refused } = await app.post("/api/phases/pattern", { pattern: input.value });
      app.say(refused.length ? refused[0].why || "pack.toml says something else by now." : "The pattern is in the pack. It proposes; it confirms nothing.");
      touched = false;
    } catch (error) {
      app.say(error.message);
    }
  };
  return el("details", { className: "pattern" },
    el("summary", { textContent: "Patterns for the chat" }),
    el("p", {}, "Write a pattern (a regular expression) for the lines in which players announce a turn, a phase or a side: (?P<turn>…), (?P<phase>…), (?P<active>…). " +
      "What it finds in these logs is shown at once. A pattern that is kept in the pack makes guesses, in these logs and in new ones; it confirms nothing."),
    field("Pattern", input), said, list, keep);
}
