// What has to be seen of a segment before it may be confirmed, what was seen, and confirming it.

import { hasPhase, now, part, said, stepOf, tone } from "./state.js";
import { Gallery, button, counted, el } from "../tables/kit.js";

let watcher, pictures;
const gallery = () => (pictures ??= new Gallery(now.app.picture));
let wanted = null; // the steps to be seen; null: not told yet
let shown = new Set(); // steps that stood on the screen and are still to be reported
let reporting = 0;

/** Asks what has to be seen of the chosen segment, and shows it; `told(segment)`: its moves were counted. */
export async function rows(told = () => {}) {
  const list = part("rows");
  if (!list) return;
  const mine = now.chosen;
  watcher ??= new IntersectionObserver(look, { threshold: 0.6 });
  watcher.disconnect();
  wanted = null;
  left();
  let found;
  try {
    found = await now.app.get(`/api/phases/inspect?${new URLSearchParams(said(now.chosen))}`);
  } catch (error) {
    if (mine === now.chosen) list.replaceChildren(el("li", { textContent: error.message }));
    return;
  }
  if (mine !== now.chosen || !list.isConnected) return;
  Object.assign(now.chosen, found.counts);
  told(now.chosen);
  wanted = found.rows;
  list.replaceChildren(...wanted.map(row));
  list.querySelectorAll("li:not(.seen)").forEach((item) => watcher.observe(item));
  left();
}

/** A step as an item of a list. */
export function row(one) {
  const because = one.because?.length ? ` · ${one.because.join(", ")}` : "";
  const item = el("li", { className: `s${tone(now.told.sides.indexOf(one.side))}${one.seen ? " seen" : ""}` });
  item.dataset.at = one.at;
  item.append(el("p", {}, el("b", { textContent: `Step ${stepOf(one.at)}` }), ` ${one.side || "side not known"}${one.undo ? " · takes something back" : ""}${because}`));
  for (const { text, face } of one.moves) item.append(el("p", {}, ...(face ? [gallery().faces([face])] : []), text));
  if (one.more) item.append(el("p", { className: "quiet", textContent: `and ${one.more} more` }));
  for (const text of one.turns) item.append(el("p", { className: "turn", textContent: text }));
  for (const text of one.dice) item.append(el("p", { className: "dice", textContent: `Dice: ${text}` }));
  for (const text of one.chat) item.append(el("p", { className: "chat", textContent: `“${text}”` }));
  if (one.cleared) item.append(el("p", { textContent: `takes the mark of having moved off ${counted(one.cleared, "counter")}` }));
  if (item.children.length === 1) item.append(el("p", { className: "quiet", textContent: "no move, no words, no dice that may be shown" }));
  return item;
}

function look(entries) {
  if (document.hidden) return;
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    target.classList.add("seen");
    shown.add(target.dataset.at);
    const one = wanted?.find((row) => row.at === target.dataset.at);
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
      await now.app.post("/api/phases/seen", { steps });
    } catch (error) {
      steps.forEach((at) => shown.add(at));
      now.app.say(error.message);
    }
  }
  left();
}

/** Says how much is seen, and beside the button what is still in the way of confirming. */
export function left() {
  const line = part("left");
  if (!line) return;
  const open = wanted?.filter((one) => !one.seen).length ?? 0;
  line.textContent = !wanted ? "…" : open
    ? `${wanted.length - open} of ${counted(wanted.length, "step")} seen. Scroll through the list: both borders, all dice, and what the other side did.`
    : `All ${wanted.length} seen.`;
  const first = inTheWay(open);
  part("confirm").disabled = !wanted || Boolean(first);
  part("missing").replaceChildren(...(first ? [first.text, ...(first.go ? [" ", first.go] : [])] : []));
}

/** The first thing that has to be done before the chosen segment can be confirmed; undefined: nothing. */
function inTheWay(open) {
  if (app().reader) return { text: "Another tab makes the changes. Press “Make the changes here” at the top of the page first." };
  if (!now.chosen.phase.trim()) {
    return {
      text: "It has no name yet: say above, under Phase, which phase these steps are.",
      go: button("Name the phase", () => part("desk").querySelector("[data-field=phase]").focus()),
    };
  }
  if (!hasPhase(now.chosen)) return { text: `Say above first what kind of phase ${now.chosen.phase.trim()} is: the pack does not have it yet.` };
  if (open) return { text: `${counted(open, "step")} of the list above not seen yet: scroll through it.` };
  if (!app().who) {
    return {
      text: "Your name is missing; it stands beside what you confirm. Type it at the top of the page.",
      go: button("Type my name", () => document.getElementById("who").focus()),
    };
  }
  return undefined;
}

const app = () => now.app.state ?? {};

/** Writes the chosen segment into the facts file. */
export async function confirmIt() {
  const segment = said(now.chosen), { first, last, phase } = segment;
  await report();
  await now.app.tried(async () => {
    const { refused } = await now.app.post("/api/phases/confirm", segment);
    if (refused.length) now.app.say(refused[0].why || "The facts file has changed meanwhile; nothing was overwritten.");
    else now.app.say(`Confirmed: ${phase}, steps ${first} to ${last}.`);
    await now.reload();
    if (refused.length) now.choose(now.chosen);
    else now.onward();
  });
}
