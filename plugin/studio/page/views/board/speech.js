/** What is told of a cell, in words: for the line below the map, and for those who hear it. */

import { words } from "./ledger.js";

const WHO = { typed: "typed", "looked-at": "looked at", double: "entered twice", suggested: "suggested", imported: "imported", filled: "filled in", read: "read by a program" };
const list = names => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);
const findings = n => (n === 1 ? "1 finding rests on it" : `${n} findings rest on it`);

export function hexText(ledger, surface, name) {
  const cell = ledger.hex(name), terrain = words(cell.terrain), told = [];
  const how = cell.status === "unknown" ? "" : (WHO[cell.status] ?? cell.status);
  const told_ = how ? ` (${how}${cell.who ? ` by ${cell.who}` : ""})` : "";
  told.push(`Hex ${name}: ${terrain.length ? list(terrain) + told_ : "terrain not known"}`);
  if (cell.level !== "") told.push(cell.level === "?" ? "level not known" : `level ${cell.level}`);
  if (cell.features) told.push(cell.features === "?" ? "what else is in it is not known" : `in it ${list(words(cell.features))}`);
  const sides = new Map(), roads = new Map();
  for (const near of surface.neighbours(name)) {
    const i = surface.sideBetween(name, near);
    if (i === undefined) continue;
    const side = ledger.side(surface.sides[i]);
    for (const one of side.has) sides.set(one, [...(sides.get(one) ?? []), near]);
    for (const one of side.lines) roads.set(one, [...(roads.get(one) ?? []), near]);
  }
  for (const [one, near] of sides) told.push(`${one} on the side to ${list(near)}`);
  for (const [one, near] of roads) told.push(`${one} to ${list(near)}`);
  told.push(cell.told ? `all six sides done` : "");
  const rests = ledger.rested.get(name);
  if (rests) told.push(findings(rests));
  return told.filter(Boolean).join("; ") + ".";
}

export function sideText(ledger, key) {
  const cell = ledger.side(key), told = [], [a, b] = splitSide(key);
  told.push(cell.has.length ? list(cell.has) : cell.unknown.includes("hexsides") ? "what lies on it is not known" : "nothing on it");
  told.push(cell.lines.length ? `${list(cell.lines)} across it` : cell.unknown.includes("lines") ? "what crosses it is not known" : "nothing across it");
  const open = [...cell.has_open, ...cell.lines_open];
  if (open.length) told.push(`perhaps ${list(open)}`);
  const status = !["typed", "unknown"].includes(cell.status) ? [`${WHO[cell.status] ?? cell.status}${cell.who ? ` by ${cell.who}` : ""}`] : [];
  const rests = ledger.rested.get(key);
  return `Hexside ${a} to ${b}: ${[...told, ...status, ...(rests ? [findings(rests)] : [])].join("; ")}.`;
}

/** The two hexes of a side; names may hold slashes, then it is parted in the middle. */
export function splitSide(key) {
  const parts = key.split("/"), half = parts.length / 2;
  return [parts.slice(0, half).join("/"), parts.slice(half).join("/")];
}
