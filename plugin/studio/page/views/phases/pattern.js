// Patterns for the chat: tried on the real lines while they are typed.

import { field, logOf, now, stepOf } from "./state.js";
import { counted, el } from "../tables/kit.js";

/** The part of the view in which a pattern is tried and kept. */
export function pattern() {
  const input = el("input", { type: "text", spellcheck: false, autocomplete: "off", placeholder: "(?P<turn>JUNE [0-9]+) TURN" });
  const said = el("p", { role: "status" });
  const list = el("ol", { className: "rows", tabIndex: 0, "aria-label": "Lines of the chat that fit", hidden: true });
  const keep = el("button", { type: "button", textContent: "Keep this pattern in the pack", disabled: true });
  let turn = 0;
  const attempt = async () => {
    const mine = ++turn;
    try {
      const found = await now.app.get(`/api/phases/try?${new URLSearchParams({ pattern: input.value })}`);
      if (mine !== turn) return;
      said.textContent = found.problem || (input.value ? `${counted(found.count, "line")} of the chat fit${found.count === 1 ? "s" : ""}.` : "");
      list.hidden = !found.lines.length;
      list.replaceChildren(...found.lines.map(({ at, side, text, groups }) => {
        const at_ = now.told.sides.indexOf(side);
        return el("li", { className: at_ === 0 ? "s0" : at_ === 1 ? "s1" : "" },
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
    now.app.say(refused.length ? refused[0].why || "pack.toml says something else by now." : "The pattern is in the pack. It proposes; it confirms nothing.");
  });
  return el("details", { className: "pattern" },
    el("summary", { textContent: "Patterns for the chat" }),
    el("p", {}, "Write a pattern (a regular expression) for the lines in which players announce a turn, a phase or a side: (?P<turn>…), (?P<phase>…), (?P<active>…). " +
      "What it finds in these logs is shown at once. A pattern that is kept in the pack makes guesses, in these logs and in new ones; it confirms nothing."),
    field("Pattern", input), said, list, keep);
}
