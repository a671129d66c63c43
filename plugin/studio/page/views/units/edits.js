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

/** Makes the rows of `kinds` what the file says after `edits`, until it is read anew. */
export function applied(kinds, edits) {
  const of = new Map();
  for (const kind of kinds) {
    for (const row of kind.rows) of.set(JSON.stringify(row.key), [...of.get(JSON.stringify(row.key)) ?? [], row]);
  }
  for (const edit of edits.filter((one) => one.kind === "unit")) {
    const key = JSON.stringify(edit.row);
    if (!of.has(key)) {
      const row = { key: edit.row, cells: {}, shared: false };
      const kind = kinds.find((one) => JSON.stringify(one.new) === key);
      if (!kind) continue;
      kind.rows = [...kind.rows.filter((one) => !one.shared), row];
      kind.bare = false;
      of.set(key, [row]);
    }
    for (const row of of.get(key)) row.cells[edit.column] = edit.now;
  }
}
