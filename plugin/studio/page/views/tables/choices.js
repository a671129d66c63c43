// The usual rules as a few plain questions. What they cannot say stands in the full chart, behind "more".

import { button, counted, el, own, soon } from "./kit.js";

/**
 * The questions in `told`. `writer.choose(question, answer, said, whole)` writes an answer, and tells in one line what is wrong;
 * `writer.effect(question, answer, said)` tells what would come of it, and `writer.settled()` resolves when the studio has done
 * what it is at. `writer.answering` holds what is being said, by question, while the view is drawn anew.
 */
export function choices(told, writer) {
  if (!told.questions.length) return [];
  return [
    el("h2", {}, "The usual rules"),
    el("p", { class: "help" }, "What you leave out is not known: moves that depend on it stay open, and nobody is accused because of it."),
    ...told.questions.map((one) => question(one, writer)),
  ];
}

function question(one, writer) {
  const root = el("fieldset", { class: `choice ${one.state}`, data: { id: one.id } }, el("legend", {}, one.title));
  if (writer.answering.get(one.id)?.state !== one.state) writer.answering.delete(one.id); // answered since
  const unfold = () => root.replaceChildren(root.firstChild, ...controls(one, writer));
  root.append(...(one.state && !writer.answering.has(one.id) ? summary(one, writer, unfold) : controls(one, writer)));
  return root;
}

/** What is said, in a line, with a button to say something else. */
function summary(one, writer, unfold) {
  const more = button("More", () => writer.open(one.chart), { "aria-label": `More about ${one.title}` });
  if (one.state === "more") return [el("p", {}, "The chart says more than these answers can. ", more)];
  const text = one.state === "no" ? one.no : [one.yes, one.fields.map((field) => said(field, one.said[field.name])).filter(Boolean).join("; ")].filter(Boolean).join(" ");
  const whole = one.state === "yes" && !one.whole && one.no ? " There is more that is not typed yet." : "";
  return [el("p", {}, el("b", {}, text), whole, " ", button("Change", unfold, { disabled: Boolean(writer.reader), "aria-label": `Change: ${one.title}` }), " ", more)];
}

function said(field, value) {
  if (field.kind === "tick") return value ? field.label : "";
  if (!value) return "";
  if (field.kind === "one") return `${field.label} ${field.options.find(([name]) => name === value)?.[1] ?? value}`.trim();
  return `${value} ${field.label}`;
}

function controls(one, writer) {
  const answer = writer.answering.get(one.id) ?? { state: one.state, held: { ...one.said }, wrong: "" };
  writer.answering.set(one.id, answer);
  const { held } = answer;
  const effects = effectsOf(one, answer, writer);
  const wrong = el("small", { class: "wrong", role: "alert" }, answer.wrong);
  answer.told = () => { wrong.textContent = answer.wrong; };
  const disabled = Boolean(writer.reader);
  const save = async (is, whole) => {
    answer.wrong = await writer.choose(one, is, held, whole);
    answer.told(); // it may have been drawn anew meanwhile
    if (!answer.wrong) writer.answering.delete(one.id);
  };
  const fields = one.fields.map((field) => control(field, JSON.stringify([one.id, field.name]), held, disabled, one.no ? effects.ask : () => save("yes", true)));
  const made = [];
  if (one.waiting) made.push(el("p", { class: "quiet" }, `${counted(one.waiting, "move")} ${one.waiting === 1 ? "asks" : "ask"} for this.`));
  if (one.no) made.push(el("div", { class: "row" }, button(one.no, () => save("no", true), { disabled }), effects.shown("no")));
  if (!one.no) made.push(el("div", { class: "row" }, ...fields), ...one.fields[0].options.filter(([value]) => value).map(([value, text]) => effects.shown(value, text)));
  else if (!fields.length) made.push(el("div", { class: "row" }, button(one.yes, () => save("yes", true), { disabled }), effects.shown("yes")));
  else {
    made.push(el("div", { class: "row" }, el("span", {}, one.yes), ...fields),
      el("div", { class: "row" },
        button("That is all my game has of it", () => save("yes", true), { disabled }),
        button("There is more", async () => { await save("yes", false); if (!answer.wrong) writer.open(one.chart); }, { disabled }), effects.shown("yes", "If that is all")));
  }
  if (answer.asked) queueMicrotask(effects.ask); // it is drawn anew
  return [...made.map((part) => wake(part, effects.ask)), wrong];
}

/** Has `ask` run when somebody comes to `part`: with the keyboard, or by staying there with the mouse. */
function wake(part, ask) {
  let staying = 0;
  part.addEventListener("focusin", ask);
  part.addEventListener("pointerenter", () => { staying = setTimeout(ask, 500); });
  part.addEventListener("pointerleave", () => clearTimeout(staying));
  return part;
}

/** What the answers to a question would change: `shown(name)` makes the line for one of them, `ask()` has all of them worked out. */
function effectsOf(one, answer, writer) {
  const lines = new Map();
  const said = (name) => (name === "no" ? [name, {}] : name === "yes" ? [name, answer.held] : ["yes", { [one.fields[0].name]: name }]);
  const shown = (name, text = "") => {
    const line = el("small", { class: "effect", role: "status" });
    lines.set(name, { line, text });
    tell(name);
    return line;
  };
  const tell = (name) => {
    const { line, text } = lines.get(name);
    const { of, told } = answer.effects?.[name] ?? {};
    const change = told && of === JSON.stringify(said(name)) ? effect(told) : "";
    line.textContent = [text, change].filter((one) => one && change).join(": ");
  };
  const ask = () => {
    if (writer.reader) return;
    answer.asked = true;
    for (const name of lines.keys()) follow(name);
  };
  const follow = async (name) => {
    const of = JSON.stringify(said(name));
    const due = (answer.due ??= {});
    if (due[name] === of) return; // it is on the way
    due[name] = of;
    tell(name); // what was told of another answer goes
    try {
      for (let told = { working: true }; told.working && lines.get(name).line.isConnected && due[name] === of;) {
        told = await writer.effect(one, ...said(name));
        (answer.effects ??= {})[name] = { of, told };
        tell(name);
        if (told.working) await writer.settled();
      }
    } finally {
      if (due[name] === of) delete due[name];
    }
  };
  return { shown, ask };
}

const COUNTED = ["findings", "legal", "illegal", "unverifiable"];

/** What would come of an answer, in words. */
export function effect({ then, now, working, error, perhaps }) {
  if (working) return "what this would change is being worked out …";
  if (!then) return error;
  const other = COUNTED.filter((word) => then[word] !== now[word]).map((word) => `${word} ${now[word]} → ${then[word]}`);
  const would = other.length ? `would change: ${other.join(", ")}` : "would change no verdict";
  return perhaps ? `if the phases are as guessed, ${would}` : would;
}

function control(field, at, held, disabled, changed) {
  const later = soon(changed, 400);
  const id = own("choice");
  if (field.kind === "tick") {
    const box = el("input", { id, data: { at }, type: "checkbox", checked: Boolean(held[field.name]), disabled, on: { change: () => { held[field.name] = box.checked; changed(); } } });
    return el("label", { class: "say" }, box, ` ${field.label}`);
  }
  if (field.kind === "one") {
    held[field.name] ??= field.options[0][0];
    const select = el("select", { id, data: { at }, disabled, on: { change: () => { held[field.name] = select.value; changed(); } } },
      ...field.options.map(([value, text]) => el("option", { value, selected: held[field.name] === value }, text)));
    return el("label", { class: "say" }, `${field.label} `, select, field.unsaid && !held[field.name] ? el("small", { class: "help" }, ` ${field.unsaid}`) : null);
  }
  const input = el("input", { id, data: { at }, size: 6, autocomplete: "off", value: held[field.name] ?? "", placeholder: field.unsaid, disabled });
  input.addEventListener("input", () => { held[field.name] = input.value; later(); });
  return el("label", { class: "say" }, input, ` ${field.label}`);
}
