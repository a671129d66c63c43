// How players announce phases in the chat: tried on the real lines while it is typed.

import { field, logOf, now, stepOf, tone } from "./state.js";
import { counted, el } from "../tables/kit.js";

/** The part of the view in which a line is tried and kept. */
export function pattern() {
  const input = el("input", { type: "text", spellcheck: false, autocomplete: "off", placeholder: "Turn {turn}: {side} {phase} phase" });
  const said = el("p", { role: "status" });
  const list = el("ol", { className: "rows", tabIndex: 0, "aria-label": "Lines of the chat that fit", hidden: true });
  const keep = el("button", { type: "button", textContent: "Keep it in the pack", disabled: true });
  let turn = 0;
  const attempt = async () => {
    const mine = ++turn;
    try {
      const found = await now.app.get(`/api/phases/try?${new URLSearchParams({ pattern: input.value })}`);
      if (mine !== turn) return;
      said.textContent = found.problem || (input.value ? `${counted(found.count, "line")} of the chat fit${found.count === 1 ? "s" : ""}.` : "");
      list.hidden = !found.lines.length;
      list.replaceChildren(...found.lines.map(({ at, side, text, groups }) => {
        return el("li", { className: `s${tone(now.told.sides.indexOf(side))}` },
          el("p", {}, el("b", { textContent: `Log ${logOf(at)}, step ${stepOf(at)}: ` }), Object.entries(groups).map(([name, value]) => `${name} ${value}`).join(", ") || "names nothing"),
          el("p", { className: "chat", textContent: `“${text}”` }));
      }));
      keep.disabled = Boolean(found.problem) || !found.count || Boolean(now.app.state?.reader);
    } catch (error) {
      said.textContent = error.message;
    }
  };
  input.oninput = attempt;
  keep.onclick = () => now.app.tried(async () => {
    const { refused } = await now.app.post("/api/phases/pattern", { pattern: input.value });
    now.app.say(refused.length ? refused[0].why || "pack.toml has changed meanwhile." : "It is in the pack. It proposes; it confirms nothing.");
  });
  return el("details", { className: "pattern" },
    el("summary", { textContent: "How phases are announced in the chat" }),
    el("p", {}, "Copy a line in which a player announces a turn, a phase or a side, and write {turn}, {phase} and {side} in their places: “Turn {turn}: {side} {phase} phase”. " +
      "The lines of these logs that fit are shown at once. What is kept in the pack makes guesses, in these logs and in new ones; it confirms nothing."),
    field("Line", input), said, list, keep);
}
