// What the files suggest of counters: a line for each column, and the sheets of pictures on which a person looks at it.

import { contactSheet } from "../suggest/sheet.js";
import { percent } from "../suggest/parts.js";
import { effect } from "../tables/choices.js";
import { button, counted, el, settled } from "../tables/kit.js";
import { put } from "../tables/redraw.js";

/** What a value of a column is called, and how a sentence says that a number of counters have it. */
function wordsOf(column) {
  if (column.role === "unit") {
    const is = { yes: "a unit", no: "no unit" };
    const are = { yes: ["is a unit", "are units"], no: ["is not a unit", "are not units"] };
    return { is: (value) => is[value] ?? (value === null ? "not known" : value), are: (value, number) => are[value][number === 1 ? 0 : 1] };
  }
  const is = (value) => (value === null ? "not known" : value);
  const verbs = column.attribute === "ma" ? ["has", "have"] : ["is", "are"];
  return { is, are: (value, number) => `${verbs[number === 1 ? 0 : 1]} ${value}` };
}

/** What was typed blind and differed from what was suggested: why the sheet comes in small pieces. */
function differing(gallery, differ, { is }) {
  return el("div", { class: "differ" },
    el("p", {}, el("b", {}, `Of those you typed blind, ${differ.length === 1 ? "one differs from its suggestion" : `${differ.length} differ from their suggestions`}.`),
      " So look at each picture here; the others follow in sheets as small as this one."),
    el("ul", {}, ...differ.map((one) => el("li", {}, gallery.image(`/api/units/picture/${one.cell}`, one.name),
      ` ${one.name}: you say ${is(one.said)}; suggested was ${is(one.suggested)}`))));
}

export class Suggested {
  #open = null;

  /** `write(kinds, column, value, more)` answers the edits of a value for kinds; `send(edits, label)` writes them, and
   * answers whether all of them are written. */
  constructor(app, { title, write, send, shown, gallery }) {
    this.app = app;
    this.gallery = gallery;
    this.title = title;
    this.write = write;
    this.send = send;
    this.shown = shown; // (on): whether a sheet takes the place of the view
    this.root = el("div", { class: "suggested" });
    this.sheet = el("div", { class: "sheet-of-counters", hidden: true });
  }

  /** Shows what is suggested of the counters that were told of. */
  draw(told, reader) {
    this.told = told;
    const lines = told.suggested.map((one) => [one, told.columns.find((column) => column.name === one.column)]);
    this.root.hidden = !lines.length;
    if (!lines.length) return;
    const of = JSON.stringify(told.suggested);
    if (of !== this.of) this.would = el("small", { role: "status" }); // else it keeps what it says while the rest is drawn anew
    this.of = of;
    put(this.root,
      el("h3", {}, "Suggested by names, pictures, palettes, and by who moved what"),
      el("p", { class: "help" }, "None of this counts yet. First you say what a few counters are, without seeing what is suggested; " +
        "then you look at the pictures of the others, one value at a time."),
      ...lines.map(([one, column]) => this.#line(one, column, reader)),
      el("div", { class: "line" }, button("What would be, if all of it were so?", () => this.#would()), this.would));
  }

  /** Tells what the verdicts would be if all that is suggested stood in the pack; nothing is written. */
  async #would() {
    const line = this.would;
    const edits = [];
    for (const one of this.told.suggested) {
      const column = this.told.columns.find((own) => own.name === one.column);
      const made = Object.entries(one.of).flatMap(([id, value]) => this.write(this.told.kinds.filter((kind) => kind.id === id), column, value));
      edits.push(...made, ...(made.length ? this.#bind(column) : []));
    }
    for (let told = { working: true }; told.working && line.isConnected;) {
      told = await this.app.post("/api/units/effect", { edits }).catch((error) => ({ error: error.message }));
      line.textContent = effect(told);
      if (told.working) await settled(this.app);
    }
  }

  #line(one, column, reader) {
    const { is } = wordsOf(column);
    const buttons = one.values.map(([value, number]) => button(`${is(value)} (${number.toLocaleString("en")})`, () => this.look(column, value), {
      disabled: Boolean(reader), "aria-label": `Look at what is suggested: ${this.title(column)}, ${is(value)}, ${counted(number, "kind")}`,
    }));
    const { blind } = one;
    if (one.rest) {
      buttons.push(button(`nothing suggested (${one.rest.toLocaleString("en")}): say it on their pictures`, () => this.look(column, ""), { disabled: Boolean(reader) }));
    }
    const checked = blind ? `typed blind: ${blind.wrong} of ${blind.typed} differ; of all suggestions at most ${percent(blind.at_most)} are wrong (95 %)${one.trusted ? "" : ": too many, so each is typed"}` : "";
    return el("div", { class: "line" }, el("b", {}, this.title(column)), ...buttons, checked ? el("small", {}, checked) : null);
  }

  /** Opens the sheet of a value; before anything was typed blind, the studio shows a few counters of each value instead. */
  async look(column, value) {
    const words = wordsOf(column), title = this.title(column);
    const number = (sheet) => counted(sheet.cells.length, "kind of counter", "kinds of counters");
    const of = {
      ...words,
      address: (asked) => `/api/units/sheet?${new URLSearchParams(asked)}`,
      look: "/api/units/look",
      noun: "counter",
      another: column.role === "unit" ? "" : "another value",
      title: (sheet) => `${title}${title.endsWith("?") ? "" : ":"} ${{ kind: words.is(value), blind: "a few, without being told what is suggested", typed: "on the pictures" }[sheet.what]}`,
      leave: true,
      about: (sheet) => ({
        kind: `${number(sheet)} ${words.are(value, sheet.cells.length)}, as the files suggest. Click each that is wrong; point at one to read why. ` +
          "Press − to leave out one that you are not sure of.",
        blind: "Say what each is, without seeing what is suggested. 0 is for those you cannot tell.",
        typed: "Choose a value, or type another one; then click the counters that have it, or drag over several. Those you leave out stay as they are.",
      })[sheet.what],
      beside: (sheet) => (sheet.what === "kind" && sheet.differ.length ? differing(this.gallery, sheet.differ, words) : null),
      nothing: () => false,
      picture: (cell) => `/api/units/picture/${cell.cell}`,
      rest: (sheet) => (sheet.what === "kind" ? "confirm" : "leave"),
      done: (answer) => this.#write(answer, column, title),
      told: (answer) => this.#said(answer),
    };
    this.shown(true);
    this.sheet.hidden = false;
    try {
      this.#open = await contactSheet(this.app, this.sheet, (asked) => this.#back(asked, column), { column: column.name, value, kind: value }, of);
    } catch (error) {
      this.app.say(error.message);
      this.#back();
    }
  }

  /** After a sheet: the next value of its column, else the view. */
  #back(asked, column) {
    this.#open?.close();
    this.#open = null;
    const left = asked?.value ? this.told.suggested.find((one) => one.column === column.name) : null;
    if (left?.values.length) return this.look(column, left.values[0][0]);
    this.sheet.hidden = true;
    this.sheet.replaceChildren();
    this.shown(false);
  }

  #bind(column) {
    return column.role === "unit" ? this.told.unit_bind : column.bind;
  }

  async #write(answer, of, title) {
    const column = this.told.columns.find((one) => one.name === of.name); // as the pack reads it by now
    const by = new Map();
    for (const [id, value] of Object.entries(answer.values)) by.set(value, [...(by.get(value) ?? []), id]);
    const edits = [...by].flatMap(([value, ids]) => this.write(this.told.kinds.filter((kind) => ids.includes(kind.id)), column, value));
    return this.send([...edits, ...(edits.length ? this.#bind(column) : []), ...answer.edits], `${title} of ${counted(Object.keys(answer.values).length, "kind")}: looked at`);
  }

  #said({ looked, not_known: open, left_out: left, blind }) {
    const parts = [`${counted(looked, "kind")} looked at`];
    if (open) parts.push(`${open} not known`);
    if (left) parts.push(`${left} left out: said of ${left === 1 ? "it" : "them"} is nothing; the table below has ${left === 1 ? "it" : "them"}`);
    if (blind) parts.push(`${blind.wrong} of ${blind.typed} suggestions differed from what you said; of all suggestions at most ${percent(blind.at_most)} are wrong (with 95 % confidence). Kept with the pack`);
    return `${parts.join(", ")}.`;
  }
}
