// What is written into units.csv.

/** The edits that write `value` into a column of units.csv for one kind of counter. */
export function editsFor(kind, column, value) {
  const edits = [];
  const shared = kind.rows.filter((row) => row.shared);
  for (const row of kind.rows) {
    const was = row.cells[column] ?? "";
    if (!row.shared && was !== value) edits.push({ kind: "unit", row: row.key, column, was, now: value });
  }
  if ((shared.length || !kind.rows.length || kind.bare) && Object.keys(kind.new).length) {
    // a row of its own goes before one about several kinds, so it says again what that one says
    const copied = {};
    for (const row of shared) {
      for (const [name, cell] of Object.entries(row.cells)) {
        copied[name] = copied[name] && copied[name] !== cell ? `${copied[name]}|${cell}` : cell;
      }
    }
    if ((copied[column] ?? "") !== value) {
      copied[column] = value;
      for (const [name, cell] of Object.entries(copied)) {
        if (cell) edits.push({ kind: "unit", row: kind.new, column: name, was: "", now: cell });
      }
    }
  }
  return edits;
}
