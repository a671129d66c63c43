// Units: the counters by kind, with their pictures; what is typed of them, what is read, and which of the two counts.

import { Follower, Gallery, button, counted, el, own, seen, soon } from "./tables/kit.js";
import { calmly, put } from "./tables/redraw.js";
import { plainWords } from "./tables/words.js";
import { adoptClasses } from "./tables/adopt.js";
import { applied, editsFor } from "./units/edits.js";
import { Guesses } from "./units/guesses.js";
import { Suggested } from "./units/suggested.js";

const ROWS = 60;
const SORTS = { all: "", said: "What the pack says", guess: "Guesses", moved: "", palette: "Palette", prototype: "Prototypes" };

class UnitsView {
  name = "units";
  title = "Units";

  mount(root, app) {
    this.app = app;
    this.root = root;
    this.gallery = new Gallery(app.picture);
    this.told = null;
    this.group = "all/All counters";
    this.search = "";
    this.page = 0;
    this.chosen = new Set();
    this.anchor = null;
    this.guesses = new Guesses((guess) => this.#take(guess), () => this.find.focus(), (guess) => app.tried(() => app.post("/api/units/refuse", { guess })));
    this.suggested = new Suggested(app, {
      gallery: this.gallery,
      title: (column) => this.#title(column),
      write: (kinds, column, value) => kinds.flatMap((kind) => editsFor(kind, column.name, value)),
      send: async (edits, label) => {
        const refused = edits.length ? await app.edit(edits, label) : [];
        this.follower.stamp = await this.#load("");
        return refused?.length === 0;
      },
      shown: (on) => { this.main.hidden = on; },
    });
    this.#frame();
    this.follower = new Follower(app, (have) => this.#load(have), (error) => app.say(error.message));
    app.onState((state) => {
      this.reader = state.reader;
      this.#chosenTold();
    });
  }

  async show(target) {
    await this.follower.show();
    if (target && this.told) {
      const found = this.told.groups.find((group) => this.#key(group) === target || group.name === target)
        ?? this.told.groups.find((group) => target === "perhaps" && group.name === "Not said yet");
      if (found) this.#open(this.#key(found));
    }
  }

  hide() {
    this.follower.hide();
  }

  #load(have) {
    return this.app.inTurn(() => this.#loaded(have)); // what is written next goes from it
  }

  async #loaded(have) {
    const told = await this.app.get(`/api/units?have=${encodeURIComponent(have)}`);
    if (told.same) return have;
    this.told = told;
    if (!told.groups.some((group) => this.#key(group) === this.group)) this.group = "all/All counters";
    const ids = new Set(told.kinds.map((kind) => kind.id));
    this.chosen = new Set([...this.chosen].filter((id) => ids.has(id)));
    calmly(() => this.#draw());
    return told.stamp;
  }

  // -- the frame ---------------------------------------------------------------------------------

  #frame() {
    const searchId = own("search");
    this.groups = el("select", { id: own("group"), on: { change: () => this.#open(this.groups.value) } });
    this.list = el("ul", { class: "groups" });
    this.heading = el("h2", {}, "Counters");
    this.body = el("div", { class: "counters", role: "region", "aria-label": "Counters" });
    this.pager = el("nav", { class: "pager", "aria-label": "Pages" });
    this.fill = el("form", { class: "fill", "aria-label": "Fill a column", on: { submit: (event) => this.#fillAll(event) } });
    this.body.append(el("p", { class: "quiet" }, "The counters are being counted …"));
    const search = this.find = el("input", {
      id: searchId, type: "search", autocomplete: "off",
      on: { input: soon(() => { this.search = search.value.toLowerCase(); this.page = 0; this.#rows(); }) },
    });
    this.root.append(
      this.suggested.sheet,
      this.main = el("div", { class: "tables-two" },
        el("aside", { "aria-label": "Groups of counters" },
          el("label", { class: "narrow", for: this.groups.id }, "Group ", this.groups),
          this.list),
        el("div", { class: "main" },
          el("div", { class: "head" }, this.heading,
            el("label", { for: searchId }, "Find ", search)),
          this.hint = el("p", { class: "hint", hidden: true }, "No counter is known to be a unit yet. Tick those that are (“all” ticks the whole group on the left), " +
            "then type yes in the frame that comes up, and press Fill."),
          this.adopt = el("div"), this.guesses.root, this.suggested.root, this.fill, this.body, this.pager)));
    this.root.addEventListener("keydown", (event) => this.#key_(event));
    this.body.addEventListener("stale", () => calmly(() => this.#rows()));
  }

  #key(group) {
    return `${group.sort}/${group.name}`;
  }

  #open(key) {
    this.group = key;
    this.page = 0;
    this.#draw();
  }

  // -- drawing -----------------------------------------------------------------------------------

  #draw() {
    const { groups } = this.told;
    let sort = "";
    const list = [], options = [];
    for (const group of groups) {
      if (group.sort !== sort && SORTS[group.sort]) list.push(el("li", { class: "sort" }, SORTS[group.sort]));
      sort = group.sort;
      const key = this.#key(group);
      const text = `${group.name} (${group.members.length.toLocaleString("en")})`;
      list.push(el("li", {}, button(text, () => this.#open(key), { "aria-pressed": String(key === this.group) })));
      options.push(el("option", { value: key, selected: key === this.group }, text));
    }
    put(this.list, ...list);
    put(this.groups, ...options);
    this.groups.value = this.group;
    const offered = this.told.suggested.some((one) => one.column === this.told.unit_column && one.values.length);
    this.hint.hidden = offered || !this.told.kinds.length || this.told.kinds.some((kind) => kind.is === "unit");
    this.guesses.draw(this.told.guesses, this.reader, this.told.refused);
    this.suggested.draw(this.told, this.reader);
    this.adopt.replaceChildren(...[adoptClasses(this.app, this.told.adopt, () => this.follower.again())].filter(Boolean));
    this.#fillForm();
    this.#rows();
  }

  /** The kinds of the group that is open, as far as the search finds them. */
  #kinds() {
    const group = this.told.groups.find((one) => this.#key(one) === this.group);
    const kinds = (group?.members ?? []).map((index) => this.told.kinds[index]);
    if (!this.search) return kinds;
    return kinds.filter((kind) =>
      [kind.name, kind.image, kind.folder, ...kind.prototypes].some((text) => text.toLowerCase().includes(this.search)));
  }

  #rows() {
    const kinds = this.#kinds();
    const pages = Math.max(1, Math.ceil(kinds.length / ROWS));
    this.page = Math.min(this.page, pages - 1);
    const shown = kinds.slice(this.page * ROWS, (this.page + 1) * ROWS);
    this.shown = kinds;
    const name = this.group.slice(this.group.indexOf("/") + 1);
    this.heading.textContent = seen(`${name}: ${counted(kinds.length, "kind")}`);
    if (!kinds.length) {
      this.body.replaceChildren(el("p", { class: "quiet" }, this.told.kinds.length
        ? "No counter fits." : "There are no counters in these logs, and none in the module."));
      this.pager.replaceChildren();
      this.#chosenTold();
      return;
    }
    const all = el("input", {
      type: "checkbox", "aria-label": `Choose all ${kinds.length} of this group`,
      on: { change: () => this.#chooseAll(all.checked) },
    });
    const head = el("tr", {}, el("th", { class: "box" }, el("label", {}, all, el("span", {}, " all"))), el("th", {}, "Counter"));
    for (const column of this.told.columns) {
      const notes = [];
      if (column.question && !this.#title(column).includes("(")) notes.push(column.question); // else the title says as much
      if (column.read.length) notes.push(`read from ${column.read.join(", then ")}`);
      if (!column.counts && column.role === "other") notes.push("your own column: kept as it is");
      head.append(el("th", { title: [column.question, column.allowed, ...column.patterns].filter(Boolean).join("\n") }, this.#title(column),
        notes.length ? el("small", {}, notes.join("; ")) : null));
    }
    const body = el("tbody");
    shown.forEach((kind, row) => body.append(this.#row(kind, row)));
    put(this.body, el("table", {}, el("thead", {}, head), body));
    this.all = this.body.querySelector("thead input");
    this.pager.replaceChildren();
    if (pages > 1) {
      const turn = (by) => { this.page += by; this.#rows(); this.body.scrollIntoView({ block: "start" }); };
      this.pager.append(
        button("Earlier", () => turn(-1), { disabled: this.page === 0 }),
        el("span", {}, `page ${this.page + 1} of ${pages}`),
        button("Later", () => turn(1), { disabled: this.page === pages - 1 }));
    }
    this.#chosenTold();
  }

  #title(column) {
    if (column.role === "unit") return "Is it a unit?";
    return plainWords(column.attribute || column.name, column.question);
  }

  #row(kind, row) {
    const box = el("input", { type: "checkbox", checked: this.chosen.has(kind.id), "aria-label": `Choose ${kind.name}` });
    box.addEventListener("click", (event) => this.#choose(kind, box.checked, event.shiftKey));
    const facts = [kind.pieces === 1 ? "1 piece" : `${kind.pieces} pieces`];
    if (kind.moves) facts.push(`moved ${kind.moves}×`);
    const name = el("td", { class: "named", title: [kind.folder, ...kind.prototypes].filter(Boolean).join(", ") },
      el("div", {}, this.gallery.image(`/api/units/picture/${kind.id}`, kind.name),
        el("span", {}, el("b", {}, kind.name), el("small", {}, facts.join(" · ")))));
    name.addEventListener("click", (event) => {
      box.checked = event.shiftKey ? true : !box.checked;
      this.#choose(kind, box.checked, event.shiftKey);
    });
    const line = el("tr", { data: { kind: kind.id } }, el("td", { class: "box" }, box), name);
    this.told.columns.forEach((column, index) => line.append(this.#cell(kind, column, index, row)));
    return line;
  }

  #cell(kind, column, index, row) {
    const [typed, read, counts] = kind.cells[index];
    const label = `${this.#title(column)} of ${kind.name}`;
    const cell = el("td", { data: { label: this.#title(column) } });
    const at = `${kind.id}/${column.name}`;
    if (column.role === "unit") {
      const said = el("select", { "aria-label": label, disabled: this.reader, data: { at } });
      const shownAs = { unit: "a unit", no: "no unit", marker: "a marker", perhaps: "not said", mixed: "differs" }[kind.is];
      for (const [value, text] of [["", typed ? "take back" : shownAs], ["yes", "yes"], ["no", "no"], ["?", "?"]]) {
        said.append(el("option", { value, selected: typed.toLowerCase() === value }, text));
      }
      said.addEventListener("change", () => this.#write([kind], column, said.value, said));
      cell.append(said);
      if (kind.is === "perhaps" && (!typed || typed === "?")) {
        cell.append(el("small", {}, kind.likely ? "probably a unit" : "probably no unit"));
      } else if (typed && typed !== "?" && !["unit", "no"].includes(kind.is)) {
        cell.append(el("small", {}, `but the pack has it as ${shownAs}`));
      }
      return cell;
    }
    const input = el("input", {
      value: typed, autocomplete: "off", spellcheck: false, "aria-label": label, readOnly: this.reader,
      data: { at, was: typed, row: String(row), column: String(index) },
    });
    if (column.words.length) input.setAttribute("list", this.#words(column, index));
    const wrong = el("small", { class: "wrong", role: "alert" });
    this.#checked(input, column, wrong);
    input.addEventListener("change", () => this.#write([kind], column, input.value.trim(), input, wrong));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        input.value = typed;
        wrong.textContent = "";
      }
    });
    cell.append(input);
    if (read) {
      const note = typed && counts === "typed" ? `read: ${read}, not used` : counts === "both" ? `read: ${read}, counts too` : `read: ${read}`;
      cell.append(el("small", { class: counts === "read" ? "counting" : "" }, note));
      if (!typed && counts === "read") input.placeholder = read;
    }
    if (typed && counts === "read") cell.append(el("small", { class: "wrong" }, "typed, but what is read counts"));
    if (typed && !counts && column.role !== "other") cell.append(el("small", { class: "wrong" }, "typed, but nothing reads it"));
    if (typed) input.classList.add(counts === "typed" || counts === "both" ? "typed" : "idle");
    cell.append(wrong);
    return cell;
  }

  #words(column, index) {
    const id = `units-words-${index}`;
    if (!document.getElementById(id)) {
      this.root.append(el("datalist", { id }, ...column.words.map((word) => el("option", { value: word }))));
    }
    return id;
  }

  /** Tells in one line what is wrong with what is being typed. */
  #checked(input, column, wrong) {
    const look = soon(async () => {
      const text = input.value;
      const { error } = await this.app.post("/api/units/check", { column: column.name, text }).catch((e) => ({ error: e.message }));
      if (input.value !== text) return;
      wrong.textContent = error;
      input.setAttribute("aria-invalid", String(Boolean(error)));
    });
    input.addEventListener("input", look);
  }

  // -- choosing ----------------------------------------------------------------------------------

  #choose(kind, on, range) {
    const order = this.shown.map((one) => one.id);
    const from = order.indexOf(this.anchor), to = order.indexOf(kind.id);
    const ids = range && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [kind.id];
    for (const id of ids) {
      if (on) this.chosen.add(id);
      else this.chosen.delete(id);
    }
    this.anchor = kind.id;
    for (const line of this.body.querySelectorAll("tbody tr")) {
      line.querySelector("input[type=checkbox]").checked = this.chosen.has(line.dataset.kind);
    }
    this.#chosenTold();
  }

  #chooseAll(on) {
    for (const kind of this.shown) {
      if (on) this.chosen.add(kind.id);
      else this.chosen.delete(kind.id);
    }
    this.#rows();
  }

  #key_(event) {
    const input = event.target;
    if (event.key === "a" && (event.ctrlKey || event.metaKey) && !input.matches?.("input:not([type=checkbox]), textarea")) {
      if (!this.told) return;
      event.preventDefault();
      this.#chooseAll(true);
      return;
    }
    if (!input.matches?.("td input:not([type=checkbox])")) return;
    const by = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key];
    if (!by) return;
    const { row, column } = input.dataset;
    const next = this.body.querySelector(`input[data-row="${Number(row) + by}"][data-column="${column}"]`);
    event.preventDefault();
    if (next) {
      next.focus();
      next.select();
    } else if (event.key === "Enter") input.blur();
  }

  // -- filling -----------------------------------------------------------------------------------

  #fillForm() {
    const columns = JSON.stringify(this.told.columns.map((column) => [column.name, this.#title(column), column.words, column.allowed]));
    if (columns === this.fillColumns || this.fill.contains(document.activeElement)) return; // nothing new, or in use
    this.fillColumns = columns;
    const held = this.fillColumn?.value;
    const value = this.fillValue?.value ?? "";
    this.fillCount = el("output", { class: "count" });
    this.fillColumn = el("select", { id: own("fill"), "aria-label": "Column to fill" },
      ...this.told.columns.map((column) => el("option", { value: column.name, selected: column.name === held }, this.#title(column))));
    this.fillValue = el("input", { "aria-label": "Value for all chosen counters", autocomplete: "off", value });
    this.fillWrong = el("span", { class: "wrong", role: "alert" });
    this.fillGo = el("button", { class: "main" }, "Fill");
    const words = () => {
      const index = this.told.columns.findIndex((column) => column.name === this.fillColumn.value);
      const column = this.told.columns[index];
      if (column?.words.length) this.fillValue.setAttribute("list", this.#words(column, index));
      else this.fillValue.removeAttribute("list");
      this.fillValue.placeholder = column?.allowed ?? "";
    };
    this.fillColumn.addEventListener("change", words);
    words();
    this.alsoHidden = el("input", { type: "checkbox", checked: this.alsoHidden?.checked ?? false, on: { change: () => this.#chosenTold() } });
    this.fillHidden = el("label", { class: "tick" }, this.alsoHidden, this.hiddenNames = el("span"));
    this.fill.replaceChildren(
      this.fillCount, this.fillColumn, this.fillValue, this.fillGo, this.fillHidden,
      button("Choose none", () => { this.chosen.clear(); this.#rows(); }), this.fillWrong);
  }

  #chosenTold() {
    if (!this.told) return;
    const { here, hidden } = this.#ticked();
    if (!hidden.length) this.alsoHidden.checked = false;
    const number = here.length + (this.alsoHidden.checked ? hidden.length : 0);
    this.fill.hidden = this.chosen.size === 0;
    this.fillHidden.hidden = hidden.length === 0;
    const names = hidden.slice(0, 4).map((kind) => kind.name).join(", ") + (hidden.length > 4 ? ", …" : "");
    this.hiddenNames.textContent = seen(` also ${counted(hidden.length, "kind")} ticked before, which this list does not show: ${names}`);
    this.fillCount.textContent = `${counted(number, "kind")} chosen. Write into`;
    this.fillGo.textContent = `Fill ${number.toLocaleString("en")}`;
    this.fillGo.disabled = Boolean(this.reader) || number === 0;
    if (this.all) {
      this.all.checked = here.length > 0 && here.length === this.shown.length;
      this.all.indeterminate = here.length > 0 && here.length < this.shown.length;
    }
  }

  /** The kinds that are ticked: those `here`, in the list (on all its pages), and those that group and search hide. */
  #ticked() {
    const listed = new Set((this.shown ?? []).map((kind) => kind.id));
    const all = this.told.kinds.filter((kind) => this.chosen.has(kind.id));
    return { here: all.filter((kind) => listed.has(kind.id)), hidden: all.filter((kind) => !listed.has(kind.id)) };
  }

  async #fillAll(event) {
    event.preventDefault();
    const column = this.told.columns.find((one) => one.name === this.fillColumn.value);
    const { here, hidden } = this.#ticked();
    const kinds = this.alsoHidden.checked ? [...here, ...hidden] : here;
    await this.#write(kinds, column, this.fillValue.value.trim(), this.fillValue, this.fillWrong);
  }

  /** Writes a value into a column for some kinds; what is wrong with it stands in `wrong`. */
  async #write(kinds, column, value, input, wrong = null) {
    if (this.reader) return;
    const what = kinds.length === 1 ? kinds[0].name : counted(kinds.length, "kind");
    const label = `${this.#title(column)} of ${what}: ${value || "nothing"}`;
    const make = async () => { // from the rows as they are by then
      const { error } = await this.app.post("/api/units/check", { column: column.name, text: value });
      if (error) return { error, edits: [] };
      const ids = new Set(kinds.map((kind) => kind.id));
      const now = this.told.kinds.filter((kind) => ids.has(kind.id));
      const nameless = now.filter((kind) => !kind.rows.length && !Object.keys(kind.new).length);
      if (nameless.length) this.app.say(`${counted(nameless.length, "kind")} cannot be named in a spreadsheet: ${nameless[0].name}`);
      const edits = now.flatMap((kind) => editsFor(kind, column.name, value));
      const same = this.told.columns.find((one) => one.name === column.name) ?? column;
      if (edits.length && value) edits.push(...(column.role === "unit" ? this.told.unit_bind : same.bind));
      return { edits };
    };
    const { error, edits, refused } = await this.app.change(make, label, (made) => applied(this.told.kinds, made));
    this.follower.again();
    if (wrong) wrong.textContent = error ?? "";
    input.setAttribute("aria-invalid", String(Boolean(error)));
    if (error && !wrong) this.app.say(error);
    if (edits.length && refused && !refused.length) this.app.say(label);
  }

  async #take(guess) {
    const refused = await this.app.edit([guess.edit], `read ${guess.about} from ${guess.where}`);
    if (refused && !refused.length) await this.app.tried(() => this.app.get("/api/read"));
    await this.follower.again();
  }
}

export default new UnitsView();
