// Questions & findings: what would decide moves, with fields to answer it; and what was found, on the map.

import { Rulings } from "./findings/rulings.js";
import { drawing } from "./tables/drawing.js";
import { Follower, Gallery, button, counted, el, own, sentence } from "./tables/kit.js";
import { calmly, keepTyping } from "./tables/redraw.js";
import { plainWords } from "./tables/words.js";

class FindingsView {
  name = "findings";
  title = "Questions & findings";

  mount(root, app) {
    this.app = app;
    this.pictures = new Map();
    this.gallery = new Gallery(app.picture);
    this.filter = { kind: "violations", who: "" };
    this.part = "questions";
    this.open = null;
    this.suspects = el("section", { class: "suspects", hidden: true, "aria-label": "What may be wrong in the pack" });
    this.tabs = el("div", { class: "switch", role: "group", "aria-label": "Show" });
    this.questions = el("section", { class: "questions", "aria-label": "Questions" });
    this.questions.addEventListener("input", () => this.late && !this.#inUse() && this.fromQuestions.again());
    this.findings = el("section", { class: "findings", "aria-label": "Findings" });
    this.list = el("ol", { class: "rows" });
    this.detail = el("article", { class: "detail", tabIndex: -1, "aria-live": "polite" });
    this.tools = el("div", { class: "filters" });
    this.gone = el("div");
    this.rulings = new Rulings(app, () => this.#loadRulings(true));
    this.findings.append(this.suspects, this.tools, el("div", { class: "halves" }, this.list, this.detail), this.gone);
    root.append(this.tabs, this.questions, this.findings);
    const failed = (error) => app.say(error.message);
    this.fromQuestions = new Follower(app, (have) => this.#loadQuestions(have), failed);
    this.fromFindings = new Follower(app, (have) => this.#loadFindings(have), failed);
    app.onState((state) => {
      const was = this.reader;
      this.reader = state.reader;
      if (was !== state.reader && this.asked) this.#drawQuestions();
      const who = this.who;
      this.who = state.who;
      if (was !== state.reader || who !== state.who) this.#drawRuling();
    });
    this.#switch();
  }

  async show(target) {
    if (/^\d+$/.test(target)) {
      this.part = "findings";
      this.open = Number(target);
    } else if (target === "questions" || target === "findings") this.part = target;
    this.#switch();
    await Promise.all([this.fromQuestions.show(), this.fromFindings.show()]);
    if (/^\d+$/.test(target)) await this.#detail(Number(target));
  }

  hide() {
    this.fromQuestions.hide();
    this.fromFindings.hide();
  }

  #switch() {
    const questions = this.asked ? ` (${this.asked.all.toLocaleString("en")})` : "";
    const wrong = this.told?.findings.filter((one) => one.violation).length;
    const findings = this.told ? ` (${wrong.toLocaleString("en")})` : "";
    const part = (name, title) => button(title, () => { this.part = name; this.#switch(); }, { "aria-pressed": String(this.part === name) });
    const held = this.tabs.contains(document.activeElement);
    this.report ??= button("Save the report", () => this.#save());
    this.tabs.replaceChildren(part("questions", `Questions${questions}`), part("findings", `Findings${findings}`), this.report);
    if (held) this.tabs.querySelector("[aria-pressed=true]").focus();
    this.questions.hidden = this.part !== "questions";
    this.findings.hidden = this.part !== "findings";
  }

  /** Hands the report to the browser, which keeps it where it keeps what is downloaded. */
  async #save() {
    if (this.report.disabled) return;
    this.report.disabled = true;
    this.app.say("The report is being written …");
    await this.app.tried(async () => {
      const { name, text } = await this.app.get("/api/report");
      const url = URL.createObjectURL(new Blob([text], { type: "text/html" }));
      el("a", { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      this.app.say(`The report was saved: ${name}, where your browser keeps downloads.`);
    });
    this.report.disabled = false;
  }

  #picture(path) {
    if (!this.pictures.has(path)) this.pictures.set(path, this.app.picture(path));
    return this.pictures.get(path);
  }

  // -- questions ---------------------------------------------------------------------------------

  async #loadQuestions(have) {
    const told = await this.app.get(`/api/questions?have=${encodeURIComponent(have)}`);
    if (told.same) return have;
    if (this.before !== undefined && told.judged) {
      const decided = this.before - told.open;
      this.app.say(decided > 0 ? `${counted(decided, "move")} fewer ${decided === 1 ? "is" : "are"} open than before your answer.` : "No fewer moves are open than before your answer.");
      this.before = undefined;
    }
    this.late = this.#inUse();
    if (this.late) {
      this.asked = { ...this.asked, all: told.all }; // somebody is typing an answer: it is not taken from under him
      calmly(() => this.#switch());
      return have;
    }
    const open = new Set(this.asked?.groups.filter((group) => group.open).map((group) => group.key));
    this.asked = { ...told, groups: told.groups.map((group) => ({ ...group, open: open.has(group.key) })) };
    calmly(() => this.#drawQuestions());
    return told.stamp;
  }

  /** Whether somebody types an answer, or has a part of the map before him. */
  #inUse() {
    return this.questions.querySelector(".look svg") !== null
      || [...this.questions.querySelectorAll("input, select")].some((field) => field.type === "checkbox" ? field.checked : field.value);
  }

  #drawQuestions() {
    const { groups, all, judged } = this.asked;
    this.#switch();
    if (!judged) {
      this.questions.replaceChildren(el("p", {}, "The moves have not been judged yet."));
      return;
    }
    if (!groups.length) {
      const { legal, illegal, unverifiable } = this.app.state.counts;
      const open = unverifiable || !(legal + illegal);
      this.questions.replaceChildren(el("p", {}, open
        ? "There are no questions. What is not judged yet waits for something else: the card at the top says what comes first."
        : "There are no questions: every known move is decided."));
      return;
    }
    const made = [el("p", { class: "quiet" }, "The questions that hold up the most moves come first. Your answer is saved at once, and you can undo it.")];
    const { cells } = this.asked;
    if (cells) {
      made.push(el("p", {}, `Open moves wait for ${cells === 1 ? "one hex or hexside" : `${cells.toLocaleString("en")} hexes and hexsides`}. Look at them on the map to answer many at once, also where nothing is there. `,
        button("Look through them on the map", () => this.app.go("suggest", "asked"))));
    }
    made.push(...this.#list(groups, all, "", (group) => group.all === 1 ? this.#question(group.questions[0]) : this.#group(group)));
    keepTyping(this.questions, () => this.questions.replaceChildren(...made));
  }

  /** A list of groups, or of the questions of one (`of`), and a button that brings the next ones. */
  #list(had, all, of, draw) {
    const list = el("ol", {}, ...had.map(draw));
    const left = () => `Show more (${(all - had.length).toLocaleString("en")} are left)`;
    const more = button(left(), async () => {
      const next = await this.app.get(`/api/questions?${of}from=${had.length}`);
      if (next.stamp !== this.asked.stamp) return this.app.say("The moves were judged again: what you have typed or opened here keeps the new questions from being shown.");
      const fresh = next[of ? "questions" : "groups"];
      had.push(...fresh);
      list.append(...fresh.map(draw));
      more.textContent = left();
      more.hidden = had.length >= all;
    }, { hidden: had.length >= all, data: { at: `${of}more` } });
    return [list, more];
  }

  /** Questions with a common answer: the one that settles all of them, if there is one; then each by itself. */
  #group(group) {
    const item = el("li", { class: "question" }, el("p", {}, el("b", {}, sentence(group.text))), el("p", { class: "quiet" }, `Its answer ${group.decides}.`));
    if (group.chart) item.append(button("Answer it in Rules", () => this.app.go("rules", group.chart), { class: "main" }));
    if (group.whole) item.append(...this.#answers(group.whole));
    const each = el("details", { open: group.open }, el("summary", { data: { at: group.key } }, `One by one (${group.all.toLocaleString("en")})`),
      ...this.#list(group.questions, group.all, `group=${group.number}&`, (one) => this.#question(one)));
    each.addEventListener("toggle", () => { group.open = each.open; });
    item.append(each);
    return item;
  }

  #question(one) {
    const wait = one.moves
      ? `${counted(one.moves, "move")} ${one.moves === 1 ? "waits" : "wait"} for it` + (one.alone ? `, ${one.alone.toLocaleString("en")} for nothing else` : "")
      : one.others.length ? `waiting for it: ${one.others.join("; ")}` : "no single move waits for it";
    const wrong = el("p", { class: "wrong", role: "alert" });
    const item = el("li", { class: "question" }, el("p", {}, this.gallery.faces(one.faces), el("b", {}, sentence(one.question))), el("p", { class: "quiet" }, `${sentence(wait).replace(/[.]$/, "")}.`));
    if (one.movers.length) {
      const more = one.moves > one.movers.length ? [el("li", {}, "…")] : [];
      item.append(el("ul", { class: "quiet movers" }, ...one.movers.map((mover) => el("li", {}, this.gallery.faces(mover.faces), mover.text)), ...more));
    }
    if (one.hex) item.append(button("Show it on the board", () => this.app.go("board", one.hex)));
    if (one.look.length) item.append(this.#look(one, wrong), wrong);
    if (one.chart) item.append(button("Answer it in Rules", () => this.app.go("rules", one.chart), { class: "main" }));
    if (one.step) item.append(button("Look at these steps in Phases", () => this.app.go("phases", one.step)));
    item.append(...this.#answers(one, wrong));
    return item;
  }

  /** The form that answers a question, unless another view does, and its stanza. */
  #answers(one, wrong = el("p", { class: "wrong", role: "alert" })) {
    const made = [];
    if (one.table && !one.chart && !this.reader) {
      const fields = one.fields.map((field) => this.#field(field, `${one.key} ${field.path.join(" ")}`));
      const form = el("form", { class: "answer" }, ...fields.map((field) => field.row),
        el("button", { class: "main", data: { at: one.key } }, fields.length ? "Answer" : "Yes, write it down"), wrong);
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const values = Object.fromEntries(fields.map((field, number) => [number, field.value()]));
        wrong.textContent = await this.#answer(one, values);
        if (!wrong.textContent) return this.#answered(form.closest("li"));
        form.querySelectorAll("input, select").forEach((input) => input.setAttribute("aria-invalid", "true"));
      });
      made.push(form);
    }
    if (one.stanza && !one.chart) {
      made.push(el("details", {}, el("summary", {}, `As ${one.table === "pack" ? "the pack" : one.file} has it`), el("pre", {}, one.stanza)));
    }
    return made;
  }

  /** The cut-out that a question asks to look at: the map, and what the pack has there laid over it, off and on. */
  #look(one, wrong) {
    const box = el("div", { class: "look" });
    const frame = el("div", { class: "wide" });
    let off = false;
    let switched = false;
    const confirm = button("Everything there is as drawn", async () => {
      try {
        const { refused } = await this.app.post("/api/look", { key: one.key, switched });
        if (refused) throw new Error(`${counted(refused, "entry", "entries")} could not be recorded.`);
      } catch (error) {
        wrong.textContent = error.message;
        return;
      }
      this.app.say("Your look is recorded. The move is judged again.");
      this.#answered(box.closest("li"));
    }, { class: "main", disabled: true });
    const overlay = button("Hide what the pack has", () => {
      off = !off;
      frame.querySelector("svg")?.classList.toggle("off", off);
      overlay.textContent = off ? "Show what the pack has" : "Hide what the pack has";
      if (!off) switched = true;
      confirm.disabled = !switched || this.reader;
    }, { "aria-pressed": "false" });
    const open = button("Show it", async () => {
      open.disabled = true;
      try {
        const { picture } = await this.app.get(`/api/look?key=${encodeURIComponent(one.key)}`);
        if (!picture) throw new Error("These hexes are on no map.");
        frame.replaceChildren(drawing(picture, {
          fetchPicture: (path) => this.#picture(path), goTo: (hex) => this.app.go("board", hex), label: "The part of the map to look at", over: true,
        }));
        box.replaceChildren(frame,
          el("p", { class: "quiet" }, "Compare the terrain, what lies on the hexsides and the lines across them: is anything missing or wrong? Hide what the pack has and show it again. To correct something, click its hex on the board."),
          el("div", { class: "picks" }, overlay, confirm));
        overlay.focus();
      } catch (error) {
        open.disabled = false;
        wrong.textContent = error.message;
      }
    });
    box.append(open);
    return box;
  }

  #field(field, at) {
    const id = own("answer");
    const title = plainWords(field.name);
    const label = el("label", { for: id }, title);
    if (field.several) {
      const none = el("input", { type: "checkbox" });
      const input = el("input", { id, data: { at }, autocomplete: "off", placeholder: "names, with commas between" });
      const picks = field.words.slice(0, 16).map((word) => button(word, () => {
        const held = input.value.split(",").map((name) => name.trim()).filter(Boolean);
        input.value = (held.includes(word) ? held.filter((name) => name !== word) : [...held, word]).join(", ");
        none.checked = false;
      }));
      const value = () => {
        const held = input.value.split(",").map((name) => name.trim()).filter(Boolean);
        return held.length ? held : none.checked ? [] : null;
      };
      const nothing = field.name === "terrain" ? null : el("label", { class: "tick" }, none, " nothing is there");
      return { value, row: el("div", { class: "field" }, label, el("div", {}, input, nothing, el("div", { class: "picks" }, ...picks))) };
    }
    if (field.only) {
      const select = el("select", { id, data: { at } }, el("option", { value: "" }, "choose"), ...field.words.map((word) => el("option", { value: word }, word)));
      return { value: () => select.value, row: el("div", { class: "field" }, label, select) };
    }
    const input = el("input", { id, data: { at }, autocomplete: "off", placeholder: field.allowed });
    const list = field.words.length ? el("datalist", { id: `${id}-words` }, ...field.words.map((word) => el("option", { value: word }))) : null;
    if (list) input.setAttribute("list", list.id);
    return { value: () => input.value, row: el("div", { class: "field" }, label, input, list) };
  }

  async #answer(one, values) {
    let told;
    try {
      told = await this.app.post("/api/questions/answer", { key: one.key, values });
    } catch (error) {
      return error.message;
    }
    if (told.error) return told.error;
    const before = this.before;
    this.before ??= this.asked.open; // first: the moves may be judged again before the page hears that it is written
    const refused = await this.app.edit(told.edits, `answer: ${one.question}`.slice(0, 200));
    if (refused === null || refused.length) {
      this.before = before;
      return "It could not be written down.";
    }
    this.app.say("Written down. The moves that wait for it are judged again.");
    return "";
  }

  /** Takes away a question that is answered; the next one gets the focus. */
  #answered(item) {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    const group = item.parentElement.closest("li");
    item.remove();
    (next ?? group ?? this.tabs).querySelector("input, select, button, summary").focus();
  }

  // -- findings ----------------------------------------------------------------------------------

  async #loadFindings(have) {
    this.#loadSuspects();
    const told = await this.app.get(`/api/findings?have=${encodeURIComponent(have)}`);
    if (!told.same) this.told = told;
    await this.#loadRulings(told.same);
    if (told.same) return have;
    calmly(() => {
      this.#switch();
      this.#filters();
      const was = this.open;
      this.#rows();
      if (was !== null && this.open === was) this.#detail(was, false);
    });
    return told.stamp;
  }

  /** Gets the rulings; where the findings are the same, they are shown at once. */
  async #loadRulings(shown) {
    const news = await this.rulings.load();
    this.gone.replaceChildren(...[this.rulings.gone()].filter(Boolean));
    if (!shown || !this.told) return;
    calmly(() => {
      if (news) keepTyping(this.list, () => this.#rows());
      this.#drawRuling();
    });
  }

  #drawRuling() {
    this.rulings.draw(this.drawn?.number, this.drawn?.stamp);
  }

  async #loadSuspects() {
    const told = await this.app.get("/api/suspects").catch(() => null);
    const suspects = told?.suspects ?? [];
    const changed = told?.changed ?? [];
    calmly(() => this.#drawSuspects(suspects, changed));
  }

  #drawSuspects(suspects, changed) {
    this.suspects.hidden = suspects.length + changed.length === 0;
    const row = (one) => {
      const onBoard = ["hex", "hexside", "line"].includes(one.fact?.kind);
      const place = onBoard ? String(one.fact.cell).split("/")[0] : "";
      return el("li", {}, el("span", {}, one.text ?? ""),
        place ? button("Look at it", () => this.app.go("board", place)) : null);
    };
    this.suspects.replaceChildren(el("h2", {}, "Look at these first: the pack may be wrong here"),
      el("p", {}, "Findings rest on each of these facts: if it were unknown, they would not stand. This changes no verdict. A wrong pack is likelier than a cheat."),
      el("ul", {}, ...suspects.map(row), ...changed.map(row)));
  }

  #filters() {
    const kinds = el("select", { id: own("kind") },
      el("option", { value: "violations", selected: this.filter.kind === "violations" }, "what is against the rules"),
      el("option", { value: "", selected: this.filter.kind === "" }, "everything"),
      ...this.told.kinds.map(({ kind, name, number }) => el("option", { value: kind, selected: this.filter.kind === kind }, `${name} (${number})`)));
    const who = el("select", { id: own("who") }, el("option", { value: "" }, "everybody"),
      ...this.told.players.map((name) => el("option", { value: name, selected: this.filter.who === name }, name)));
    kinds.addEventListener("change", () => { this.filter.kind = kinds.value; this.#rows(); });
    who.addEventListener("change", () => { this.filter.who = who.value; this.#rows(); });
    this.tools.replaceChildren(el("label", { for: kinds.id }, "Show ", kinds), el("label", { for: who.id }, "by ", who));
  }

  #rows() {
    const { kind, who } = this.filter;
    const shown = this.told.findings.filter((one) =>
      (kind === "violations" ? one.violation : !kind || one.kind === kind) && (!who || one.who === who));
    if (!shown.length) {
      const text = !this.told.judged ? "The moves have not been judged yet." : kind === "violations" && !who ? this.told.clear : "Nothing of the kind was found.";
      this.list.replaceChildren(el("li", { class: "quiet" }, text));
      this.detail.replaceChildren();
      return;
    }
    this.list.replaceChildren(...shown.slice(0, 400).map((one) => el("li", {},
      el("button", {
        type: "button", class: `finding ${one.kind}`, data: { number: String(one.number), at: String(one.number) }, "aria-pressed": String(one.number === this.open),
        on: { click: () => this.#detail(one.number) },
      },
      el("b", {}, one.name), ` ${one.units}`, this.gallery.faces(one.faces),
      el("small", {}, [one.routes[0] ?? one.hexes.join(", "), one.short].filter(Boolean).join(" · ")),
      el("small", {}, [one.who, one.phase, one.steps].filter(Boolean).join(" · ")), this.#mark(one.number)))));
    if (shown.length > 400) this.list.append(el("li", { class: "quiet" }, `and ${shown.length - 400} more; choose a player or a kind`));
    if (this.open !== null && !shown.some((one) => one.number === this.open)) this.open = null;
    if (this.open === null && matchMedia("(min-width: 801px)").matches) this.#detail(shown[0].number, false);
  }

  #mark(number) {
    const text = this.rulings.mark(number, this.told.stamp);
    return text ? el("small", { class: "mark" }, text) : null;
  }

  async #detail(number, move = true) {
    this.open = number;
    for (const one of this.list.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one.dataset.number === String(number)));
    let told;
    try {
      told = await this.app.get(`/api/findings/${number}`);
    } catch (error) {
      this.detail.replaceChildren(el("p", { class: "wrong" }, error.message));
      return;
    }
    if (this.open !== number) return;
    const lines = [];
    const say = (name, ...what) => what.some(Boolean) && lines.push(el("dt", {}, name), el("dd", {}, ...what));
    for (const route of told.routes) say("moved", route);
    say("who", told.who || "nobody is named");
    say("when", [told.phase, told.steps].filter(Boolean).join(", "));
    say("found", told.explanation);
    say("remedy", told.remedy);
    for (const question of told.open) say("open", question);
    if (told.rule) say("rule", el("b", {}, `${told.rule.id} ${told.rule.title}. `), told.rule.text);
    const parts = [el("h2", {}, `${sentence(told.name)}: ${told.units}`, this.gallery.faces(told.faces))];
    if (told.picture) {
      parts.push(drawing(told.picture, {
        fetchPicture: (path) => this.#picture(path), goTo: (hex) => this.app.go("board", hex), label: `The hexes around ${told.units}`,
      }));
    }
    parts.push(el("dl", {}, ...lines));
    parts.push(this.rulings.box);
    if (told.bill) parts.push(this.#bill(told.bill));
    for (const one of told.moves) if (one.bill) parts.push(el("h3", {}, `${one.units} ${one.route}`), this.#bill(one.bill));
    if (told.hexes.length) {
      parts.push(el("p", { class: "picks" }, "Open on the board: ", ...told.hexes.slice(0, 12).map((hex) => this.#hex(hex))));
    }
    this.drawn = { number, stamp: told.stamp };
    keepTyping(this.detail, () => {
      this.detail.replaceChildren(...parts);
      this.#drawRuling();
    });
    if (move) {
      this.detail.focus({ preventScroll: true });
      if (matchMedia("(max-width: 800px)").matches) this.detail.scrollIntoView({ block: "start" });
    }
  }

  #hex(hex) {
    return button(hex, () => this.app.go("board", hex), { "aria-label": `Open hex ${hex} on the board` });
  }

  /** A bill: each charge opens its hex. */
  #bill(bill) {
    return el("div", { class: "wide" }, el("table", { class: "bill" },
      el("thead", {}, el("tr", {}, el("th", {}, "hex"), el("th", {}, bill.unit), el("th", {}, "for"), el("th", {}, "rule"))),
      el("tbody", {}, ...bill.charges.map((charge) => el("tr", {}, el("td", {}, charge.hex ? this.#hex(charge.hex) : ""),
        el("td", {}, charge.amount), el("td", {}, charge.reason), el("td", {}, `${charge.clause} ${charge.title}`)))),
      el("tfoot", {}, el("tr", {}, el("th", {}, "due"), el("td", { colspan: "3" }, `${bill.total} ${bill.due}`)))));
  }
}

export default new FindingsView();
