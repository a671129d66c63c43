// Plain words for the short names that files use.

const WORDS = {
  ma: "movement allowance", mp: "movement points", mf: "movement factors", mps: "movement points", zoc: "zones of control",
  active: "side whose phase it is",
};

// Names of charts that say nothing to a reader: they are not shown beside the words.
const CHARTS = {
  lacks: "rules that are not in these forms", steps: "steps that cost more, or end a move", entering: "coming onto the map",
  order: "order in which units move", works: "fortifications", values: "all the values that an attribute or a condition can have",
};

/** The name of a row or column; the word that a new pack has in its place says nothing to a reader. */
export const rowName = (name) => name === "to be named" ? "(not named yet)" : name;

/** What a chart of the rules is called: `steps` is `steps that cost more, or end a move`. */
export function chartName(name) {
  return Object.hasOwn(CHARTS, name) ? CHARTS[name] : plainWords(name);
}

/** `ma` as `movement allowance (ma)`, `minimum_move` as `minimum move`. `question`: what the ruleset asks where it is not
 * known ("which movement class is it?"); it names what is meant. */
export function plainWords(name, question = "") {
  const text = String(name), said = WORDS[text.toLowerCase()] ?? /movement (allowance|class|value|points)/.exec(question)?.[0];
  return said && said !== text ? `${said} (${text})` : text.replaceAll("_", " ");
}
