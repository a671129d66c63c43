// The timeline: every log step by step, the guesses below it, and the borders between them.

import { border } from "./guesses.js";
import { logOf, now, part, stepOf, tone } from "./state.js";
import { counted, el } from "../tables/kit.js";

const HELD = ".bar, .handle";

/** Draws all logs. */
export function draw() {
  part("legend").replaceChildren(
    ...now.told.sides.map((side, n) => el("span", { className: `s${tone(n)}`, textContent: `moved by ${side}` })),
    el("span", { className: "talk", textContent: "chat" }),
    el("span", { className: "dice", textContent: "dice" }),
    el("span", { className: "back", textContent: "taken back" }),
  );
  const logs = part("logs"), kept = logs.scrollTop, held = [...logs.querySelectorAll(HELD)].indexOf(document.activeElement);
  logs.replaceChildren(...now.told.logs.map(lane));
  logs.scrollTop = kept;
  if (held >= 0) logs.querySelectorAll(HELD)[held]?.focus({ preventScroll: true }); // the keyboard stays where it was
  if (!now.told.logs.length) part("logs").append(el("p", { textContent: "No logs are open." }));
  part("logs").querySelectorAll("canvas").forEach(paint);
}

function lane(log) {
  const last = Math.max(1, ...log.steps.map(([step]) => step));
  const title = el("h3", {}, `Log ${log.log} `, el("small", {},
    `${log.name} · ${counted(log.steps.length, "step")}${log.saved ? ` · saved ${log.saved}` : ""}`));
  const canvas = el("canvas", { role: "img", "aria-label": `Log ${log.log}: who moved, chat, dice and take-backs step by step` });
  Object.assign(canvas, { log, lastStep: last });
  canvas.onclick = (event) => {
    const step = Math.max(1, Math.round((event.offsetX / canvas.clientWidth) * last));
    const found = now.segments.find((s) => logOf(s.first) === log.log && stepOf(s.first) <= step && step <= stepOf(s.last));
    if (found) now.choose(found, step);
  };
  const bars = el("div", { className: "bars" });
  const mine = now.segments.filter((one) => logOf(one.first) === log.log);
  for (const one of mine) {
    const bar = el("button", { type: "button", className: `bar${one.settled ? " settled" : ""}`, textContent: `${one.settled ? "✓ " : ""}${one.phase || "?"}` });
    bar.title = `steps ${stepOf(one.first)}–${stepOf(one.last)}: ${[one.turn, one.phase || "phase not known", one.active].filter(Boolean).join(", ")}`;
    bar.setAttribute("aria-label", bar.title + (one.settled ? (one.known ? ", known" : ", confirmed") : ""));
    bar.setAttribute("aria-pressed", String(one === now.chosen));
    bar.style.left = `${((stepOf(one.first) - 1) / last) * 100}%`;
    bar.style.width = `${((stepOf(one.last) - stepOf(one.first) + 1) / last) * 100}%`;
    bar.onclick = () => now.choose(one);
    bars.append(bar);
  }
  mine.slice(1).forEach((one, n) => !one.settled && !mine[n].settled && bars.append(handle(mine[n], one, last, bars)));
  return el("div", { className: "log" }, title, el("div", { className: "lane" }, canvas, bars));
}

/** The border between two segments, to be dragged or moved with the arrow keys. */
function handle(before, after, last, bars) {
  const made = el("div", {
    className: `handle${before === now.chosen || after === now.chosen ? " near" : ""}`, tabIndex: 0, role: "slider",
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
    border(before, after, step);
    place();
  };
  const done = () => {
    now.corrected(before, after);
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
    done();
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
  const style = getComputedStyle(now.root);
  const colour = (name) => style.getPropertyValue(name).trim();
  const wide = Math.max(1, width / lastStep);
  for (const [step, side, moved, dice, lines, undo] of log.steps) {
    const x = ((step - 1) / lastStep) * width;
    if (moved) {
      pen.fillStyle = colour(`--side-${tone(side)}`);
      pen.fillRect(x, 3, wide, 20);
    }
    if (lines) {
      pen.fillStyle = colour("--talk");
      pen.beginPath();
      pen.arc(x + wide / 2, 29, 3.2, 0, 7);
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

/** Scrolls the timeline to the now.chosen segment. */
export function reveal() {
  const list = part("logs");
  const log = list.querySelector(".bar[aria-pressed=true]")?.closest(".log");
  if (!log) return;
  const [mine, all] = [log.getBoundingClientRect(), list.getBoundingClientRect()];
  if (mine.top < all.top || mine.bottom > all.bottom) list.scrollTop += mine.top - all.top - 20;
}
