// Plain words for the short names that files use.

const WORDS = {
  ma: "movement allowance", mp: "movement points", mf: "movement factors", mps: "movement points", zoc: "zones of control",
  active: "side whose phase it is",
};

/** The name of a row or column; the word that a new pack has in its place says nothing to a reader. */
export const rowName = (name) => name === "to be named" ? "(not named yet)" : name;

/** `ma` as `movement allowance (ma)`, `minimum_move` as `minimum move`. `question`: what the ruleset asks where it is not
 * known ("which movement class is it?"); it names what is meant. */
export function plainWords(name, question = "") {
  const text = String(name), said = WORDS[text.toLowerCase()] ?? /movement (allowance|class|value|points)/.exec(question)?.[0];
  return said && said !== text ? `${said} (${text})` : text.replaceAll("_", " ");
}
