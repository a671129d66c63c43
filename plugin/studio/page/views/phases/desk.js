// The chosen segment: its fields, what has to be looked at, and what would be.

import { correct, isKnown, join, moveEnd, settledBy, split } from "./guesses.js";
import { confirmIt, left, row, rows } from "./looking.js";
import { field, hasPhase, key, logOf, now, part, said, stepOf } from "./state.js";
import { button, counted, el } from "../tables/kit.js";

/** Draws the chosen segment, all of it (`anew`) or what has become of it meanwhile. */
export function desk(anew, step = null) {
  const into = part("desk");
  if (!now.chosen) {
    into.replaceChildren(el("p", { textContent: now.told.logs.length ? "Nothing is chosen yet: click a guess in the timeline." : "Open the studio with the logs of a game." }));
    return;
  }
  const settled = settledBy(now.chosen);
  if (!anew && into.dataset.key === key(now.chosen) && into.dataset.standing === standing()) {
    verdicts();
    unheard();
    left();
    return;
  }
  into.dataset.key = key(now.chosen);
  const log = logOf(now.chosen.first);
  const set = (name) => (event) => {
    now.chosen[name] = event.target.value;
    correct(now.chosen);
    now.redraw();
    if (into.dataset.standing !== standing()) work();
    else if (name === "active") rows(verdicts);
    else left();
    if (name === "phase") unheard();
  };
  const border = (name) => (event) => {
    const to = `${log}:${Math.max(1, Number(event.target.value) || 1)}`;
    if (name === "first" ? stepOf(to) > stepOf(now.chosen.last) : stepOf(to) < stepOf(now.chosen.first)) {
      event.target.value = stepOf(now.chosen[name]);
      now.app.say("The first step must be before the last.");
      return;
    }
    moveEnd(now.chosen, name, stepOf(to));
    now.corrected(now.chosen);
  };
  const number = (name) => el("input", { type: "number", min: 1, value: stepOf(now.chosen[name]), onchange: border(name), disabled: Boolean(settled) });
  const sides = el("select", { onchange: set("active"), disabled: Boolean(settled) },
    ...["", ...now.told.sides].map((side) => el("option", { value: side, textContent: side || "not said", selected: side === now.chosen.active })));
  const parts = [
    el("h2", { tabIndex: -1, textContent: `Log ${log}, steps ${stepOf(now.chosen.first)} to ${stepOf(now.chosen.last)}` }),
    el("p", { "data-part": "verdicts" }),
    el("div", { className: "fields" },
      field("First step", number("first")),
      field("Last step", number("last")),
      field("Turn", el("input", { value: now.chosen.turn, maxLength: 80, onchange: set("turn"), disabled: Boolean(settled) })),
      field("Phase", el("input", { value: now.chosen.phase, maxLength: 80, list: "phase-names", "data-field": "phase", onchange: set("phase"), disabled: Boolean(settled) })),
      field("Whose phase", sides)),
    el("datalist", { id: "phase-names" }, ...now.told.phases.map((value) => el("option", { value }))),
    el("div", { "data-part": "unheard" }),
  ];
  parts.push(el("div", { "data-part": "work" }), everything());
  into.replaceChildren(...parts);
  into.scrollTop = 0;
  verdicts();
  unheard();
  work(step);
}

/** How the chosen segment stands: confirmed, known already, or open. */
const standing = () => (settledBy(now.chosen) ? "confirmed" : isKnown(now.chosen) ? "known" : "open");

/** What can be done with the chosen segment as it stands. */
function work(step = null) {
  const settled = settledBy(now.chosen);
  part("desk").dataset.standing = standing();
  part("work").replaceChildren(...(settled ? [
    el("p", {}, `Confirmed: ${[settled.turn && `turn ${settled.turn.replace(/^turn /i, "")}`, settled.phase || "combat", settled.active].filter(Boolean).join(", ")}; ${span(settled)}.`),
    el("div", { className: "buttons" }, button("Take it out again", () => remove(settled))),
  ] : [...correcting(step), ...(standing() === "open" ? confirming() : [])]));
  rows(verdicts);
}

/** The steps of a confirmed phase, in words. */
function span({ first, last }) {
  if (last && logOf(last) !== logOf(first)) return `from log ${logOf(first)}, step ${stepOf(first)}, to log ${logOf(last)}, step ${stepOf(last)}`;
  return `log ${logOf(first)}, steps ${stepOf(first)} to ${last ? stepOf(last) : "the end"}`;
}

const NO_MOVEMENT = "no movement"; // a form that the rules do not judge

/** Where the pack has no such phase: what may be so of it, to be taken over in one step. */
function unheard() {
  const name = now.chosen.phase.trim();
  if (hasPhase(now.chosen)) {
    part("unheard").replaceChildren();
    return;
  }
  const judged = now.told.forms.filter((form) => form !== NO_MOVEMENT), form = judged[0] ?? "move";
  const disabled = Boolean(now.app.state?.reader);
  part("unheard").replaceChildren(
    el("p", {}, `The pack has no phase ${name} yet. ` + (judged.length > 1 ? "" : "Is it a phase of movement: units of the side whose phase it is " +
      `move, all by one form (${form}), and nothing else displaces any unit? `) + "Or is all that is displaced in it no movement (retreats and advances " +
      "of combat, setting up, supply), so that nothing in it is judged? If neither, write it in the Rules view."),
    el("div", { className: "buttons" },
      ...kinds(name, judged, form, disabled),
      button("Open the Rules view", () => now.app.go("rules", "phase"))));
}

/** What kind of phase it may be; the likelier by its name comes first. */
function kinds(name, judged, form, disabled) {
  const none = button(`Nothing in ${name} is movement`, () => takeOver(name, "none", NO_MOVEMENT), { disabled });
  if (judged.length > 1) return [none];
  const moves = button(`Yes, ${name} is such a phase`, () => takeOver(name, "active", form), { disabled });
  return new RegExp(now.told.of_movement, "i").test(name) ? [moves, none] : [none, moves];
}

async function takeOver(name, movers, form) {
  const one = (table, now) => ({ kind: "stanza", file: "pack", table, was: null, now });
  const judged = form !== NO_MOVEMENT;
  const edits = [one("phase", { name, movers, forms: [form], ...(judged ? { complete: true } : {}) })];
  if (!now.told.forms.includes(form)) edits.push(one("form", { name: form, ...(judged ? {} : { judged: false }) }));
  await now.app.edit(edits, `the phase ${name}`);
  await now.reload();
  unheard();
}

/** Why it is known or guessed, what its dice mean, and parting it. */
function correcting(step) {
  const known = now.chosen.known
    ? [el("p", { className: "known" }, `Known already: ${now.chosen.known} shows it, and the pack vouches for that. ` +
      (isKnown(now.chosen) ? "There is nothing to look at or to confirm. Correct it only if it is wrong here." : "You have corrected it: what you confirm counts in its place."))]
    : [];
  const why = now.chosen.why?.length
    ? [el("h3", { textContent: "Why this is guessed" }), el("ul", { className: "why" }, ...now.chosen.why.slice(0, 8).map((text) => el("li", { textContent: text })))]
    : [];
  const meaning = (value, text) => {
    const input = el("input", { type: "radio", name: "combat", checked: now.chosen.combat === value });
    input.onchange = () => {
      now.chosen.combat = value;
      correct(now.chosen);
      now.redraw();
      if (part("desk").dataset.standing === standing()) return;
      work();
      part("work").querySelector("[name=combat]:checked").focus();
    };
    return el("label", {}, input, text);
  };
  const at = el("input", { type: "number", min: stepOf(now.chosen.first) + 1, max: stepOf(now.chosen.last), "aria-label": "Step to split at" });
  at.value = step && step > stepOf(now.chosen.first) ? step : "";
  return [
    ...known,
    ...why,
    el("fieldset", {},
      el("legend", { textContent: "Dice, and what the other side did in these steps" }),
      meaning(null, "leave it open"),
      meaning(false, "belong to this phase"),
      meaning(true, "these steps were combat within a phase around them")),
    el("div", { className: "buttons" },
      el("label", {}, "Split at step ", at),
      el("button", { type: "button", textContent: "Split", onclick: () => change(split(Number(at.value))) }),
      el("button", { type: "button", textContent: "Join with the next", onclick: () => change(join()) })),
  ];
}

/** What has to be looked at, and confirming. */
function confirming() {
  return [
    el("h3", { textContent: "Look at these first" }),
    el("p", { className: "left", "data-part": "left", role: "status", textContent: "…" }),
    el("ol", { className: "rows", "data-part": "rows", tabIndex: 0, "aria-label": "Both borders, all dice and what the other side did" }),
    el("div", { className: "buttons" },
      el("button", { type: "button", className: "main", disabled: true, "data-part": "confirm", textContent: "Confirm this segment", onclick: confirmIt, "aria-describedby": "phases-missing" }),
      el("button", { type: "button", textContent: "What would be?", onclick: wouldBe })),
    el("p", { "data-part": "missing", id: "phases-missing", role: "status" }),
    el("p", { "data-part": "would", role: "status" }),
  ];
}

function verdicts() {
  const { moves = 0, legal = 0, illegal = 0, unverifiable = 0 } = now.chosen;
  const line = part("verdicts");
  if (line) {
    line.textContent = moves
      ? `${counted(moves, "move")} in it: ${legal} legal, ${illegal} illegal, ${unverifiable} unverifiable now.`
      : "No moves to judge in it.";
  }
  const would = now.told.would[key(now.chosen)];
  const said = part("would");
  if (said && would) {
    said.textContent = `If these steps were ${[would.phase || "this phase", would.active].filter(Boolean).join(", ")}: ` +
      `${counted(would.moves, "move")}, ${would.legal} legal, ${would.illegal} illegal, ${would.unverifiable} unverifiable. Nothing was written.`;
  }
}

function everything() {
  const list = el("ol", { className: "rows" });
  const more = el("button", { type: "button", textContent: "Show more" });
  const box = el("details", {}, el("summary", { textContent: "All steps of this segment" }), list, more);
  let from = now.chosen.first;
  const segment = now.chosen;
  const fill = () => now.app.tried(async () => {
    const found = await now.app.get(`/api/phases/steps?${new URLSearchParams({ first: from, last: segment.last })}`);
    list.append(...found.rows.map(row));
    more.hidden = !found.more;
    if (found.rows.length) from = `${logOf(segment.first)}:${stepOf(found.rows.at(-1).at) + 1}`;
  });
  more.onclick = fill;
  more.hidden = true;
  box.ontoggle = () => box.open && !list.firstChild && fill();
  return box;
}

const remove = ({ first, last }) => now.app.tried(async () => {
  await now.app.post("/api/phases/remove", { first, last });
  await now.reload();
  desk(true);
});

async function wouldBe() {
  const line = part("would");
  delete now.told.would[key(now.chosen)];
  line.textContent = "This is being worked out; nothing is written."; // before the request: the result may be there as soon as that is answered
  if (!(await now.app.tried(() => now.app.post("/api/phases/would", said(now.chosen))))) line.textContent = "";
}

/** After splitting or joining; `why`: why it could not be done. */
function change(why) {
  if (why) now.app.say(why);
  else now.corrected(now.chosen);
}
