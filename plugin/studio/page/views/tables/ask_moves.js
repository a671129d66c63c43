// What the moves say of numbers that the charts lack. Nothing of it counts until somebody has compared it with the rulebook.

import { Follower, button, counted, el } from "./kit.js";
import { calmly, put } from "./redraw.js";

const CHARTS = { terrain: "terrain", hexsides: "hexsides", roads: "roads" };

export class AskMoves {
  /** `writer()` gives `{ reader, write(edits, label) }` of the Rules view. */
  constructor(app, writer) {
    this.app = app;
    this.writer = writer;
    this.typed = new Map(); // what was typed of numbers since they were asked for
    this.root = el("section", { class: "ask-moves", "aria-label": "Ask the moves for missing costs" });
    this.follower = new Follower(app, async () => {
      const told = await app.get("/api/chart");
      calmly(() => this.#draw(told));
      return told.working ? "" : "told";
    });
  }

  #draw(told) {
    const begin = button(told.asked ? "Ask the moves again" : "Ask the moves", async () => {
      const asked = await this.app.tried(() => this.app.post("/api/chart/ask"));
      if (!asked) return;
      this.typed.clear();
      this.#draw(asked);
      this.follower.again();
    }, { disabled: told.working });
    const made = [el("h3", {}, "Costs that are missing"),
      el("p", { class: "help" }, "Where units went, and where they did not, says much about a cost that nobody has typed yet. This is a help, not the rulebook: no number counts until you say that the rulebook has it."),
      el("p", {}, begin, told.working ? " The moves are being asked …" : "")];
    if (told.asked && told.changed && !told.working) made.push(el("p", { class: "help" }, "The pack has been changed since."));
    if (told.asked?.nothing_missing) made.push(el("p", {}, "The charts have a cost for everything known to be on the board."));
    for (const one of told.asked?.classes ?? []) made.push(...this.#class(one, told));
    made.push(...(told.asked?.left_out ?? []).map((line) => el("p", { class: "help" }, line)));
    put(this.root, ...made);
  }

  #class(one, told) {
    const made = [el("h4", {}, `${one.class}: ${counted(one.moves, "different move")} in ${counted(one.phases, "phase")}`),
      el("div", { class: "wide" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, "cost of"), el("th", {}, "the moves say"), el("th", {}, "why"), el("th", {}, ""))),
        el("tbody", {}, ...one.numbers.map((number) => this.#row(number, one.class)))))];
    if (one.unexplained.length) {
      made.push(el("details", {}, el("summary", {}, `${counted(one.unexplained.length, "move")} that this chart does not explain`),
        el("p", { class: "help" }, told.causes), el("ul", {}, ...one.unexplained.slice(0, 40).map((line) => el("li", {}, line)))));
    }
    return made;
  }

  #row(number, cls) {
    const key = JSON.stringify([number.path, cls]);
    const act = el("td", {});
    if (this.typed.has(key)) act.append(this.typed.get(key));
    else if (number.status === "pinned" && !this.writer().reader) act.append(...this.#asking(number, cls, key, act));
    return el("tr", {}, el("th", { scope: "row" }, `${CHARTS[number.chart]} ${number.row}`), el("td", {}, number.says), el("td", {}, number.evidence), act);
  }

  /** A field for what the rulebook says, which goes into the chart if nothing is there. */
  #asking(number, cls, key, act) {
    const wrong = el("small", { class: "wrong", role: "alert" });
    const input = el("input", { size: 6, autocomplete: "off", data: { at: `rulebook ${key}`, was: "" },
      "aria-label": `What the rulebook says of ${CHARTS[number.chart]} ${number.row}${cls && `, ${cls}`}` });
    const write = async () => {
      const text = input.value.trim();
      if (!text) return input.focus();
      const told = await this.app.post("/api/chart/confirm", { path: number.path, class: cls, said: text }).catch(({ message }) => ({ error: message }));
      wrong.textContent = told.error;
      if (told.error) return undefined;
      await this.writer().write(told.edits, `${number.chart} ${number.row} ${cls}: ${text}, by the rulebook`);
      this.typed.set(key, `typed ${text}${text === number.value ? "" : `, where the moves say ${number.value}: compare it once more`}`);
      return act.replaceChildren(this.typed.get(key));
    };
    input.addEventListener("keydown", (event) => event.key === "Enter" && write());
    return [el("label", {}, "the rulebook says ", input), " ", button("Write it", write), wrong];
  }
}
