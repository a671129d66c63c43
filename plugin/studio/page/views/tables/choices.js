// The usual rules as a few plain questions. What they cannot say stands in the full chart, behind "more".

import { button, counted, el, own } from "./kit.js";

/**
 * The questions in `told`. `writer.choose(question, answer, said, whole)` writes an answer, and tells in one line what is wrong.
 * `writer.answering` holds what is being said, by question, while the view is drawn anew.
 */
export function choices(told, writer) {
  if (!told.questions.length) return [];
  return [
    el("h2", {}, "The usual rules"),
    el("p", { class: "help" }, "What is not said is not known: the moves that depend on it stay open, and nobody is accused by it."),
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
  const wrong = el("small", { class: "wrong", role: "alert" }, answer.wrong);
  const disabled = Boolean(writer.reader);
  const save = async (is, whole) => {
    wrong.textContent = answer.wrong = await writer.choose(one, is, held, whole);
    if (!answer.wrong) writer.answering.delete(one.id);
  };
  const fields = one.fields.map((field) => control(field, JSON.stringify([one.id, field.name]), held, disabled, one.no ? () => {} : () => save("yes", true)));
  const made = [];
  if (one.waiting) made.push(el("p", { class: "quiet" }, `${counted(one.waiting, "move")} ${one.waiting === 1 ? "asks" : "ask"} for this.`));
  if (one.no) made.push(el("div", { class: "row" }, button(one.no, () => save("no", true), { disabled })));
  if (!one.no) made.push(el("div", { class: "row" }, ...fields));
  else if (!fields.length) made.push(el("div", { class: "row" }, button(one.yes, () => save("yes", true), { disabled })));
  else {
    made.push(el("div", { class: "row" }, el("span", {}, one.yes), ...fields),
      el("div", { class: "row" },
        button("That is all my game has of it", () => save("yes", true), { disabled }),
        button("There is more", async () => { await save("yes", false); if (!wrong.textContent) writer.open(one.chart); }, { disabled })));
  }
  return [...made, wrong];
}

function control(field, at, held, disabled, changed) {
  const id = own("choice");
  if (field.kind === "tick") {
    const box = el("input", { id, data: { at }, type: "checkbox", checked: Boolean(held[field.name]), disabled, on: { change: () => { held[field.name] = box.checked; } } });
    return el("label", { class: "say" }, box, ` ${field.label}`);
  }
  if (field.kind === "one") {
    held[field.name] ??= field.options[0][0];
    const select = el("select", { id, data: { at }, disabled, on: { change: () => { held[field.name] = select.value; changed(); } } },
      ...field.options.map(([value, text]) => el("option", { value, selected: held[field.name] === value }, text)));
    return el("label", { class: "say" }, `${field.label} `, select);
  }
  const input = el("input", { id, data: { at }, size: 6, autocomplete: "off", value: held[field.name] ?? "", placeholder: field.unsaid, disabled });
  input.addEventListener("input", () => { held[field.name] = input.value; });
  return el("label", { class: "say" }, input, ` ${field.label}`);
}
