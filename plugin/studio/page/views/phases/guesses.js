// The guesses as they stand: what the studio proposes, around what was corrected by hand. Corrections are kept by the
// studio, and enter nothing.

import { key, logOf, now, said, stepOf } from "./state.js";

let restored = false;

/** Takes the proposals of `now.told`; what was corrected by hand stays. */
export function take() {
  const own = restored ? now.segments.filter((one) => one.own) : now.told.corrected;
  restored = true;
  const old = new Map(now.segments.map((one) => [key(one), one])); // the same objects, so that nothing chosen is lost
  now.segments = around(own, now.told.proposed.flatMap(parted)).map((one) => (one.own ? one : Object.assign(old.get(key(one)) ?? { combat: null }, one)));
  settle();
}

/** What of the segments is confirmed, or known already. */
function settle() {
  for (const one of now.segments) {
    const by = settledBy(one);
    one.settled = by !== null || isKnown(one);
    if (by && (!one.own || sameSteps(by, one))) Object.assign(one, { turn: by.turn, phase: by.phase, active: by.active, combat: by.combat });
  }
}

/** Whether a tracker that the pack vouches for tells the phase of a guess that nobody has corrected. */
export const isKnown = (segment) => Boolean(segment.known && !segment.own);

const sameSteps = (a, b) => a.first === b.first && a.last === b.last;
const place = (at) => (at ? logOf(at) * 1e7 + stepOf(at) : Infinity);

/** The confirmed phase that a segment lies in, that of just its steps before one around it; null: none. */
export function settledBy(segment) {
  const found = now.told.confirmed.filter((one) =>
    one.known && place(one.first) <= place(segment.first) && place(segment.last) <= place(one.last));
  return found.find((one) => sameSteps(one, segment)) ?? found[0] ?? null;
}

/** The guesses that are not confirmed, those first that most moves wait for. */
export function waiting() {
  return now.segments
    .filter((one) => !one.settled && one.moves)
    .sort((a, b) => (b.unverifiable ?? 0) - (a.unverifiable ?? 0));
}

// -- in the order of the logs ---------------------------------------------------------------------

/** The proposals, with those that were corrected by hand in their place; `cut`: a part of one, to be counted anew. */
function around(own, proposed) {
  const alike = new Map(proposed.map((one) => [key(one), one]));
  for (const mine of own) {
    const { why, known, moves, legal, illegal, unverifiable } = alike.get(key(mine)) ?? { why: ["corrected by hand"], known: "" };
    Object.assign(mine, { own: true, known, why: mine.why ?? why });
    if (moves === undefined) mine.cut = true;
    else Object.assign(mine, { moves, legal, illegal, unverifiable });
  }
  let left = proposed;
  for (const mine of own) left = left.flatMap((one) => without(one, mine));
  return [...left, ...own].sort((a, b) => logOf(a.first) - logOf(b.first) || stepOf(a.first) - stepOf(b.first));
}

/** What is left of a guess on either side of a segment or phase. */
function without(one, mine) {
  const log = logOf(one.first), [from, to] = stepsIn(mine, log);
  if (to < stepOf(one.first) || stepOf(one.last) < from) return [one];
  const parts = [];
  if (stepOf(one.first) < from) parts.push({ ...one, cut: true, last: `${log}:${from - 1}` });
  if (to < stepOf(one.last)) parts.push({ ...one, cut: true, first: `${log}:${to + 1}` });
  return parts;
}

/** A guess in parts, where phases that are confirmed begin and end in it. */
function parted(guess) {
  const known = now.told.confirmed.filter((one) => one.known)
    .sort((a, b) => place(a.first) - place(b.first) || place(b.last) - place(a.last)); // one around another before it
  return known.reduce((parts, phase) => parts.flatMap((one) => (settledBy(one) ? [one] : [...without(one, phase), ...inside(one, phase)])), [guess]);
}

function inside(one, phase) {
  const log = logOf(one.first), [from, to] = stepsIn(phase, log);
  const first = Math.max(from, stepOf(one.first)), last = Math.min(to, stepOf(one.last));
  return first <= last ? [{ ...one, cut: true, first: `${log}:${first}`, last: `${log}:${last}` }] : [];
}

/** The first and the last step of a segment or phase in a log, as far as it lies in it. */
function stepsIn({ first, last }, log) {
  return [
    logOf(first) < log ? 0 : logOf(first) > log ? Infinity : stepOf(first),
    !last || logOf(last) > log ? Infinity : logOf(last) < log ? -1 : stepOf(last),
  ];
}

// -- what is kept ---------------------------------------------------------------------------------

let sending = false, changed = false;

/** Marks segments as corrected by hand, and keeps them. */
export function correct(...segments) {
  for (const one of segments) one.own = true;
  settle();
  changed = true;
  if (!sending) send();
}

async function send() {
  sending = true;
  while (changed && !now.app.state?.reader) {
    changed = false;
    const own = now.segments.filter((one) => one.own).map(said);
    await now.app.inTurn(() => now.app.post("/api/phases/corrected", { segments: own })).catch((error) => now.app.say(`Not kept: ${error.message}`));
  }
  sending = false;
}

// -- changing guesses -----------------------------------------------------------------------------

/** Moves the border between two segments of a log so that the second begins with `step`, as far as it can go. */
export function border(before, after, step) {
  step = Math.min(stepOf(after.last), Math.max(stepOf(before.first) + 1, step));
  before.last = `${logOf(before.first)}:${step - 1}`;
  after.first = `${logOf(after.last)}:${step}`;
  correct(before, after);
}

/** Moves the first or last step of a segment; its neighbour, if that is a guess, gives or takes. */
export function moveEnd(segment, name, to) {
  const log = logOf(segment.first);
  const mine = now.segments.filter((one) => logOf(one.first) === log);
  const end = Math.max(...now.told.logs[log - 1].steps.map(([step]) => step));
  const beside = mine[mine.indexOf(segment) + (name === "first" ? -1 : 1)];
  const step = Math.min(end, to);
  if (beside && !beside.settled) {
    if (name === "first") border(beside, segment, step);
    else border(segment, beside, step + 1);
    return;
  }
  segment[name] = `${log}:${step}`;
  correct(segment);
}

/** Parts the chosen segment, the second part beginning with `step`. Answers why not; "": it is done. */
export function split(step) {
  const { chosen } = now;
  if (!(step > stepOf(chosen.first) && step <= stepOf(chosen.last))) {
    return stepOf(chosen.first) === stepOf(chosen.last) ? "One step alone cannot be split."
      : `Name a step from ${stepOf(chosen.first) + 1} to ${stepOf(chosen.last)}; the second part begins with it.`;
  }
  const log = logOf(chosen.first);
  const second = { ...chosen, first: `${log}:${step}`, why: ["split by hand"], moves: 0, cut: true, settled: false };
  chosen.last = `${log}:${step - 1}`;
  now.segments.splice(now.segments.indexOf(chosen) + 1, 0, second);
  correct(chosen, second);
  return "";
}

/** Joins the chosen segment with the next. Answers why not; "": it is done. */
export function join() {
  const { chosen } = now, after = now.segments[now.segments.indexOf(chosen) + 1];
  if (!after || logOf(after.first) !== logOf(chosen.first)) return "This is the last segment of its log: there is no next one to join it with.";
  if (after.settled) return "The next segment is confirmed already: take it out first to join it.";
  chosen.last = after.last;
  now.segments.splice(now.segments.indexOf(after), 1);
  correct(chosen);
  return "";
}
