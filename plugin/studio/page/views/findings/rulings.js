// Offences of a game that is kept in a folder: until when they can be corrected, and the rulings on them.

import { button, counted, el, own, sentence } from "../tables/kit.js";
import { keepTyping } from "../tables/redraw.js";

export class Rulings {
  /** `changed` is called when a ruling was written, or did not fit what there is by now. */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    this.told = null;
    this.drafts = new Map();
    this.box = el("section", { class: "ruling", hidden: true, "aria-label": "Ruling" });
  }

  /** Gets what there is by now; true if anything is other than before. */
  async load() {
    const told = await this.app.get(`/api/rulings?have=${encodeURIComponent(this.told?.stamp ?? "")}`);
    if (told.same || told.game === null) return false;
    this.told = told;
    return true;
  }

  /** The offence that a finding is part of, in the findings with this stamp; undefined: none, or no game. */
  #of(number, audit) {
    return this.told && this.told.audit === audit ? this.told.offences.find((one) => one.findings.includes(number)) : undefined;
  }

  /** A few words for the list of findings. */
  mark(number, audit) {
    const one = this.#of(number, audit);
    if (!one) return "";
    if (!one.ruling) return "no ruling";
    return one.ruling.again ? `${one.ruling.decision}: look again` : one.ruling.decision;
  }

  /** Draws the box of the finding that is open anew. What is typed in it stays. */
  draw(number, audit) {
    const one = this.#of(number, audit);
    this.box.hidden = !one;
    keepTyping(this.box, () => this.box.replaceChildren(...(one ? this.#parts(one) : [])));
  }

  /** The rulings on offences no longer found; null: there are none. */
  gone() {
    if (!this.told?.gone.length) return null;
    return el("details", { class: "gone" }, el("summary", {}, `${counted(this.told.gone.length, "ruling")} on offences no longer found`),
      el("ul", {}, ...this.told.gone.map((one) => el("li", {}, `${one.id}  ${ruled(one)}`))));
  }

  #parts(one) {
    const lines = [el("dt", {}, "offence"), el("dd", {}, one.id, one.findings.length > 1 ? `, ${counted(one.findings.length, "finding")} of one drag` : "")];
    if (one.standing) lines.push(el("dt", {}, "correct"), el("dd", {}, `${sentence(one.standing)}.`));
    lines.push(el("dt", {}, "ruling"), el("dd", {}, one.ruling ? ruled(one.ruling) : "none yet"));
    const parts = [el("dl", {}, ...lines)];
    if (one.ruling?.again) parts.push(el("p", { class: "again" }, el("b", {}, "Look again: "), "what was found has changed since this ruling."));
    if (this.told.fault) parts.push(el("p", { class: "wrong" }, this.told.fault));
    else if (!this.app.state.reader) parts.push(this.#form(one));
    return parts;
  }

  #form(one) {
    const draft = this.drafts.get(one.id) ?? { decision: "", because: "", wrong: "" };
    const keep = () => {
      Object.assign(draft, { decision: decision.value, because: because.value });
      this.drafts.set(one.id, draft);
    };
    const decision = el("select", { id: own("decision"), required: true, data: { at: "decision" }, on: { change: keep } }, el("option", { value: "" }, "choose"),
      ...this.told.decisions.map((word) => el("option", { value: word, selected: word === draft.decision }, word)));
    const because = el("input", { id: own("because"), required: true, maxLength: 2000, autocomplete: "off", value: draft.because, data: { at: "because" }, on: { input: keep } });
    const who = this.app.state.who;
    const wrong = el("p", { class: "wrong", role: "alert" }, draft.wrong);
    const send = el("button", { class: "main", data: { at: "rule" } }, one.ruling ? "Rule anew" : "Write the ruling");
    const form = el("form", {},
      el("div", { class: "field" }, el("label", { for: decision.id }, "decision"), decision),
      el("div", { class: "field" }, el("label", { for: because.id }, "reason"), because),
      el("div", { class: "field" }, el("span", {}, "who"), el("span", {}, who || "type your name at the top first")),
      send, wrong);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (send.disabled) return;
      send.disabled = true;
      keep();
      try {
        await this.app.post("/api/rule", { id: one.id, stamp: one.stamp, decision: draft.decision, because: draft.because });
        this.drafts.delete(one.id);
        this.app.say("The ruling was written into game.toml.");
      } catch (error) {
        draft.wrong = error.message;
      }
      await this.changed();
      draft.wrong = "";
    });
    if (!one.ruling || one.ruling.again || this.drafts.has(one.id)) return form;
    const again = button("Rule anew", () => {
      again.replaceWith(form);
      decision.focus();
    });
    return again;
  }
}

function ruled({ decision, because, who, when }) {
  const by = [who, when].filter(Boolean).join(", ");
  return `${decision}: ${because}${by ? ` (${by})` : ""}`;
}
