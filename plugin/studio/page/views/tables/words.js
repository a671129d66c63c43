// Plain words for the short names that files use.

const WORDS = {
  ma: "movement allowance", mp: "movement points", mf: "movement factors", mps: "movement points", zoc: "zones of control",
  lacks: "rules that these tables lack", active: "side whose phase it is",
};

/** `ma` as `movement allowance (ma)`, `minimum_move` as `minimum move`. `question`: what the ruleset asks where it is not
 * known ("which movement class is it?"); it names what is meant. */
export function plainWords(name, question = "") {
  const text = String(name), said = WORDS[text.toLowerCase()] ?? /movement (allowance|class|value|points)/.exec(question)?.[0];
  return said && said !== text ? `${said} (${text})` : text.replaceAll("_", " ");
}
