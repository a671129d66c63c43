/** Which cells a filter asks for, and what the audit asks. */

const UNSURE = 0.9; // a suggestion below this confidence
const SEEN = ["unknown", "typed", "looked-at", "double"];

/** Whether something is told that nobody has typed or looked at. */
export const unseen = status => !SEEN.includes(status);

export const FILTERS = [
  ["", "Everything"],
  ["unknown", "Not known"],
  ["suggested", "Suggested, not looked at"],
  ["unsure", "Suggested, unsure"],
  ["changed", "Changed since the studio was opened"],
  ["rested", "A finding rests on it"],
];

/** A function that says whether a cell (a hex's name or a hexside's) is asked for; null for everything. */
export function filterFor(name, ledger, isHex) {
  const cell = key => (isHex(key) ? ledger.hex(key) : ledger.side(key));
  switch (name) {
    case "unknown":
      return key => {
        const found = cell(key);
        return isHex(key) ? found.status === "unknown" : found.unknown.length > 0;
      };
    case "suggested":
      return key => unseen(cell(key).status);
    case "unsure":
      return key => unseen(cell(key).status) && (cell(key).confidence ?? 0) < UNSURE;
    case "changed":
      return key => ledger.changed.has(key);
    case "rested":
      return key => ledger.rested.has(key);
    default:
      return null;
  }
}
