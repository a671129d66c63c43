// Rules: the ruleset's tables as forms, with the clause each belongs to; what of them the game has; phases and forms.

import { AskMoves } from "./tables/ask_moves.js";
import { draw, helpOf, plainName } from "./tables/fields.js";
import { choices } from "./tables/choices.js";
import { allCharts } from "./tables/charts.js";
import { adoptClasses } from "./tables/adopt.js";
import { Follower, button, counted, el, own, settled } from "./tables/kit.js";
import { MovesSay } from "./tables/moves_say.js";
import { calmly, put } from "./tables/redraw.js";

const STATES = { open: "Not all of it yet: what is missing here is not known", whole: "All of it" };

class RulesView {
  name = "rules";
  title = "Rules";

  mount(root, app) {
    this.app = app;
    this.root = root;
    this.part = "";
    this.drafts = new Map();
    this.answering = new Map();
    this.added = new Map(); // names of rows that were added to charts and are empty yet, by the path of the chart
    this.read = new Set(); // clauses that are open
    this.wordLists = new Map();
    this.list = el("ul", { class: "parts" });
    this.select = el("select", { id: own("part"), on: { change: () => this.#open(this.select.value) } });
    this.body = el("div", { class: "form" }, el("p", { class: "quiet" }, "The rules are being read …"));
    this.faults = el("div", { class: "faults", role: "alert" });
    this.movesSay = new MovesSay(app);
    this.askMoves = new AskMoves(app, () => this.#writer());
    root.append(el("div", { class: "tables-two" },
      el("aside", { "aria-label": "Charts" }, el("label", { class: "narrow", for: this.select.id }, "Part ", this.select), this.list),
      el("div", { class: "main" }, this.adopt = el("div"), this.faults, this.body, this.movesSay.root, this.askMoves.root)));
    this.body.addEventListener("stale", () => calmly(() => this.#draw()));
    this.follower = new Follower(app, (have) => this.#load(have), (error) => this.body.replaceChildren(el("p", { class: "wrong" }, error.message)));
    app.onState((state) => {
      const was = this.reader;
      this.reader = state.reader;
      if (this.told && was !== state.reader) this.#draw();
    });
  }

  async show(target) {
    this.movesSay.follower.show();
    this.askMoves.follower.show();
    await this.follower.show();
    const [, question] = /^question (.*)$/.exec(target) ?? [];
    if (target && this.told) this.#open(question ? "charts" : target);
    const asked = question && [...this.body.querySelectorAll(".choice")].find((one) => one.dataset.id === question);
    asked?.scrollIntoView({ block: "center" });
    asked?.querySelector("input, select, button")?.focus({ preventScroll: true });
  }

  hide() {
    this.follower.hide();
    this.movesSay.follower.hide();
    this.askMoves.follower.hide();
  }

  async #load(have) {
    const told = await this.app.get(`/api/rules?have=${encodeURIComponent(have)}`);
    if (told.same) return have;
    this.told = told;
    calmly(() => this.#draw());
    return told.stamp;
  }

  #parts() {
    const found = [["charts", "All charts", ""]];
    found.push(...this.told.charts.map((chart) => [chart.name, plainName(chart.title), chart.state]));
    found.push(["phase", "Phases of the game", ""], ["form", "Forms of movement", ""]);
    if (this.told.options.length) found.push(["options", "Open readings", ""]);
    return found;
  }

  /** What a chart is called, or a part that is not a chart. */
  #titleOf(name) {
    return plainName(this.told.charts.find((one) => one.name === name)?.title ?? name);
  }

  #open(part) {
    if (!this.#parts().some(([name]) => name === part)) return;
    this.part = part;
    this.#draw();
  }

  #draw() {
    const parts = this.#parts();
    if (!parts.some(([name]) => name === this.part)) this.part = parts[0][0];
    const mark = { whole: " ✓", none: " – none", open: "" };
    put(this.list, ...parts.map(([name, title, state]) => el("li", {},
      button(title + (mark[state] ?? ""), () => this.#open(name), { "aria-pressed": String(name === this.part) }))));
    put(this.select, ...parts.map(([name, title, state]) =>
      el("option", { value: name, selected: name === this.part }, title + (mark[state] ?? ""))));
    this.select.value = this.part; // options that are moved into a list choose its last one
    this.adopt.replaceChildren(...[adoptClasses(this.app, this.told.adopt, () => this.follower.again())].filter(Boolean));
    this.faults.replaceChildren(...this.told.faults.slice(0, 5).map((fault) => el("p", { class: "wrong" }, fault)));
    const chart = this.told.charts.find((one) => one.name === this.part);
    this.askMoves.root.hidden = this.part !== "charts";
    if (this.part === "charts") this.#allCharts();
    else if (chart) this.#chart(chart);
    else if (this.part === "options") this.#options();
    else this.#lists();
  }

  #chart(chart) {
    const writer = this.#writer();
    const made = [el("h2", {}, plainName(chart.title)), el("p", {}, chart.name === "values" ? "" : chart.question), el("p", { class: "help" }, helpOf(chart.form))];
    if (chart.name !== "values") made.push(this.#vouch(chart));
    if (chart.state === "none") {
      made.push(el("p", {}, `You said: ${chart.none}. Choose “Not all of it yet” to type something in.`));
    } else made.push(draw(chart.form, writer, false));
    this.#show(...made);
  }

  /** The tick of a chart, with what it vouches for. An empty chart is never all of it: the game has nothing of the
   * kind, or it is not typed yet. */
  #vouch(chart) {
    const group = el("fieldset", { class: "vouch" }, el("legend", {}, "How much of what your game has is in this form?"));
    const name = own("vouch");
    for (const [state, text] of Object.entries({ ...STATES, none: `Your game has none: ${chart.none}` })) {
      if (state === "whole" && chart.empty) continue;
      const box = el("input", { type: "radio", name, value: state, checked: chart.state === state, disabled: this.reader });
      box.addEventListener("change", () => this.#send("/api/rules/vouch", { chart: chart.name, state }, `${plainName(chart.title)}: ${text}`));
      group.append(el("label", { class: "tick" }, box, el("span", {}, ` ${text}`,
        state === "whole" ? el("small", { class: "help" }, chart.vouches) : null)));
    }
    if (chart.waiting) group.append(el("p", {}, el("b", {}, `${counted(chart.waiting, "move")} ${chart.waiting === 1 ? "asks" : "ask"} for this.`)));
    if (!this.told.opens) group.append(el("p", { class: "help" }, "This ruleset counts every chart as complete, whatever you choose here."));
    return group;
  }

  /** The ticks of all charts, and the costs that are missing, on one screen. */
  #allCharts() {
    const choose = (one, answer, said, whole) =>
      this.#send("/api/rules/choose", { id: one.id, answer, said, whole }, `${one.title} ${answer === "no" ? one.no : one.yes}`, false);
    const open = (name) => this.#open(name);
    const effect = (one, answer, said) => this.app.post("/api/rules/effect", { id: one.id, answer, said, whole: true })
      .catch((error) => ({ error: error.message }));
    this.#show(...choices(this.told, { reader: this.reader, answering: this.answering, choose, open, effect, settled: () => settled(this.app) }), ...allCharts(this.told, {
      ...this.#writer(),
      open: (name) => this.#open(name),
      vouch: async (ticks) => {
        for (const [chart, state] of ticks) {
          const error = await this.#send("/api/rules/vouch", { chart, state }, `${this.#titleOf(chart)}: ${STATES[state] ?? "none"}`, true);
          if (error) return this.follower.again();
        }
        return this.follower.again();
      },
    }));
  }

  #lists() {
    const form = this.part === "phase" ? this.told.phase : this.told.form;
    const title = this.part === "phase" ? "Phases of the game" : "Forms of movement";
    const help = this.part === "phase"
      ? "Each phase by its name: who moves in it, by which forms, and whether nothing else can displace a unit in it."
      : "Each way to move by its name, such as march, rail or retreat; and whether the ruleset judges it.";
    this.#show(el("h2", {}, title), el("p", { class: "help" }, help), draw(form, this.#writer(), false));
  }

  #options() {
    const made = [el("h2", {}, "Open readings"),
      el("p", { class: "help" }, "Where the rules can be read in more than one way, say how you play.")];
    for (const option of this.told.options) {
      const select = el("select", { id: own("option"), disabled: this.reader, data: { at: JSON.stringify(option.path) } },
        el("option", { value: "" }, `not said: ${option.default}`),
        ...option.choices.map((one) => el("option", { value: one, selected: String(option.value) === one }, one)));
      const wrong = el("small", { class: "wrong", role: "alert" });
      select.addEventListener("change", async () => {
        wrong.textContent = await this.#change(option.path, select.value || null, null);
      });
      made.push(el("div", { class: "field" }, el("label", { for: select.id }, option.question),
        el("div", {}, select, wrong, this.#clauses([option.clause]))));
    }
    this.#show(...made);
  }

  /** Shows a part, with the table that is being made for it. */
  #show(...made) {
    const draft = this.drafts.get(this.part);
    const drawn = draft ? this.#draft(draft) : null;
    put(this.body, ...made, drawn);
    if (!draft || draft.seen) return;
    draft.seen = true;
    drawn.scrollIntoView({ block: "nearest" });
    drawn.querySelector("input, select, textarea")?.focus();
  }

  // -- what is typed -----------------------------------------------------------------------------

  #writer() {
    return {
      reader: this.reader,
      words: (words) => this.#words(words),
      clauses: (ids) => this.#clauses(ids),
      check: (path, given, column) => this.#ask("/api/rules/change", { path, given, column }).then(({ error }) => error),
      change: (path, given, column = null) => this.#change(path, given, column),
      drop: (path) => this.#takenOut(path) || this.#change(path, null, null, "took out"),
      rename: (path, name) => this.#rename(path, name),
      add: (node) => this.#add(node),
      tables: this.told.tables,
      paste: (node, text, columns) => this.#ask("/api/rules/paste", { path: node.path, inner: node.inner, known: node.columns,
        names: [...node.rows.map(({ name }) => name), ...node.offered], text, columns }),
      write: async (edits, label) => {
        await this.app.edit(edits, label.slice(0, 200));
        await this.follower.again();
      },
      added: (path) => this.#added(path),
      row: (path, name) => this.#row(path, name),
    };
  }

  /** The names of the rows that were added at `path` and hold nothing yet. */
  #added(path) {
    const at = JSON.stringify(path);
    if (!this.added.has(at)) this.added.set(at, new Set());
    return this.added.get(at);
  }

  /** Takes out a row that was added and holds nothing yet; false: it is none. */
  #takenOut(path) {
    const was = this.#added(path.slice(0, -1)).delete(path.at(-1));
    if (was) this.#draw();
    return was;
  }

  /** Adds an empty row, which stays until it is taken out, and goes to its first cell. */
  #row(path, name) {
    this.#added(path).add(name);
    this.#draw();
    const cells = [...this.body.querySelectorAll("td > input[data-at]")];
    cells.find((cell) => JSON.parse(cell.dataset.at)[path.length] === name)?.focus();
  }

  #words(words) {
    const all = words.join("|");
    if (!this.wordLists.has(all)) {
      const id = own("rules-words");
      this.root.append(el("datalist", { id }, ...words.map((word) => el("option", { value: word }))));
      this.wordLists.set(all, id);
    }
    return this.wordLists.get(all);
  }

  /** The clauses a field belongs to, to open and read; one that is open stays so when the form is drawn anew. */
  #clauses(ids) {
    const made = el("span", { class: "clauses" });
    for (const id of ids) {
      const clause = this.told.clauses[id];
      if (!clause) continue;
      const at = `${this.part} ${id}`;
      const toggle = ({ target }) => this.read[target.open ? "add" : "delete"](at);
      made.append(el("details", { class: "clause", open: this.read.has(at), on: { toggle } }, el("summary", {}, `${id} ${clause.title}`), el("p", {}, clause.text)));
    }
    return made;
  }

  async #ask(path, body) {
    try {
      return await this.app.post(path, body);
    } catch (error) {
      return { edits: [], error: error.message };
    }
  }

  #change(path, given, column, what = "") {
    const parts = path[0] === "rules" ? [this.#titleOf(path[1]), ...path.slice(2)] : path;
    const name = parts.map((part) => (typeof part === "number" ? part + 1 : plainName(part))).join(", ");
    const shown = Array.isArray(given) ? given.join(", ") : given;
    const label = what ? `${what} ${name}` : `${name}${column ? ` ${column}` : ""}: ${shown || "nothing"}`;
    return this.#send("/api/rules/change", { path, given, column }, label);
  }

  /** Asks what something would change, and writes it; what is wrong with it, in one line. `body`: what is sent, or a
   * function that gives it when its turn has come. */
  async #send(path, body, label, more = false) {
    const { edits, error } = await this.app.change(() => this.app.post(path, typeof body === "function" ? body() : body), label.slice(0, 200));
    if (error) {
      if (path !== "/api/rules/change" || body.given === null) this.app.say(error);
      return error;
    }
    if (edits.length && !more) this.follower.again();
    return "";
  }

  async #rename(path, name) {
    const now = prompt(`Another name for ${name}:`, name)?.trim();
    if (now && now !== name) await this.#send("/api/rules/rename", { path, name: now }, `${name} is called ${now}`);
  }

  // -- tables that are being made ----------------------------------------------------------------

  async #add(node) {
    const { path, kind, label } = node;
    const given = kind === "group" ? {} : "";
    const told = await this.#ask("/api/rules/change", { path, given, column: null, draft: { path, value: {} } });
    if (told.error || !told.form) {
      this.app.say(told.error);
      return;
    }
    this.drafts.set(this.part, { path, value: told.value, form: told.form, name: String(label) });
    this.#draw();
  }

  #draft(draft) {
    const part = this.part;
    const wrong = el("p", { class: "wrong", role: "alert" }, draft.error ?? "");
    // in turn: what is typed next goes into what was typed before
    const into = (path, given, column) => this.app.inTurn(async () => {
      const told = await this.#ask("/api/rules/change", { path, given, column, draft: { path: draft.path, value: draft.value } });
      if (!told.error && "form" in told) {
        Object.assign(draft, { value: told.value, form: told.form, error: "" });
        calmly(() => this.#draw());
      }
      return told.error;
    });
    const writer = {
      ...this.#writer(),
      paste: null,
      reader: false,
      check: async () => "",
      change: (path, given, column = null) => into(path, given, column),
      drop: (path) => this.#takenOut(path) || into(path, null, null),
      rename: () => {},
      add: (node) => into(node.path, {}, null),
    };
    const save = button("Save it", async () => {
      draft.error = await this.#send("/api/rules/change", () => ({ path: draft.path, given: draft.value, column: null }), `added to ${this.#titleOf(part)}`);
      if (!draft.error) this.drafts.delete(part);
      this.#draw();
    }, { class: "main" });
    const form = draw(draft.form, writer, draft.form.kind !== "group");
    return el("fieldset", { class: "draft" }, el("legend", {}, `New: ${plainName(draft.name)}`), form, wrong, save,
      button("Leave it", () => { this.drafts.delete(part); this.#draw(); }));
  }
}

export default new RulesView();
