"""Writes the pages that can be worked out: ``python docs/build.py``.

docs/rulesets/NAME.md is what ``umpire rules NAME --format markdown`` says: the text by hand in the folder
of the ruleset (``page.md``), then what it covers. In docs/rulesets.md the table of rulesets stands
between two marks. docs/how-to-read-a-report.md is the text that the HTML report has in its head.
docs/cli.md is made of the help of the commands, docs/schemas.md of the published schemas, the reference in
docs/python.md of the docstrings of the public names, the tables in docs/analysis-format.md of their
declarations.
"""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path
from types import ModuleType

from vassal_umpire.importers.cases.load import read_cases
from vassal_umpire.model import schemas
from vassal_umpire.plugin.coverage import STATUSES, own_clauses, page_of
from vassal_umpire.plugin.registry import RULESETS, rulesets, shipped
from vassal_umpire.plugin.reports.how_to_read import how_to_read
from vassal_umpire.validators.ruleset import Ruleset

DOCS = Path(__file__).resolve().parent
PROJECT = DOCS.parent
REFERENCE = (
    "<!-- reference: written by docs/build.py -->\n",
    "<!-- reference end -->\n",
)
COLUMNS = ("<!-- columns: written by docs/build.py -->\n", "<!-- columns end -->\n")
TABLE = ("<!-- rulesets: written by docs/build.py -->\n", "<!-- rulesets end -->\n")


def pages() -> dict[Path, str]:
    """Each page that has a generated part, as it ought to be."""
    known = _shipped()
    cases = read_cases([PROJECT / "tests" / "conformance"])
    found = {}
    for name, ruleset in known.items():
        own = [case for case in cases if case.ruleset == name]
        found[DOCS / "rulesets" / f"{name}.md"] = page_of(ruleset, own)
    found[DOCS / "how-to-read-a-report.md"] = how_to_read()
    listing = DOCS / "rulesets.md"
    before, rest = listing.read_text("utf-8").split(TABLE[0])
    after = rest.split(TABLE[1])[1]
    counts = Counter(case.ruleset for case in cases)
    found[listing] = f"{before}{TABLE[0]}{_table(counts)}{TABLE[1]}{after}"
    interface = DOCS / "python.md"
    before, rest = interface.read_text("utf-8").split(REFERENCE[0])
    after = rest.split(REFERENCE[1])[1]
    told = _beside("python_reference").reference()
    found[interface] = f"{before}{REFERENCE[0]}\n{told}\n{REFERENCE[1]}{after}"
    formats = DOCS / "analysis-format.md"
    before, rest = formats.read_text("utf-8").split(COLUMNS[0])
    after = rest.split(COLUMNS[1])[1]
    told = _beside("python_reference").tables()
    found[formats] = f"{before}{COLUMNS[0]}\n{told}\n{COLUMNS[1]}{after}"
    found[DOCS / "cli.md"] = _beside("command_line").page()
    found[DOCS / "schemas.md"] = _schemas()
    return found


def _beside(name: str) -> ModuleType:
    """Another file of this folder, which is not a package."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCHEMAS = """\
# Schemas

What `umpire` writes and reads as JSON or TOML has a published JSON Schema (draft 2020-12). `umpire schema
NAME` prints it; so does the link. Each ruleset has one more, of the same name, for its tables in
`pack.toml` (`umpire schema generic`).

| schema | what it describes |
|---|---|
"""


def _schemas() -> str:
    rows = []
    for name in sorted(schemas.names()):
        told = json.loads(schemas.text_of(name))
        about = told.get("description", told.get("title", ""))
        rows.append(f"| [`{name}`](../model/schemas/{name}.json) | {about} |\n")
    return SCHEMAS + "".join(rows)


def _shipped() -> dict[str, Ruleset]:
    """The rulesets of this project, by name, not others that may be installed."""
    known = rulesets()
    return {name: known.get(name) for name in sorted(one.name for one in shipped(RULESETS))}


def _table(cases: Counter[str]) -> str:
    columns = ["ruleset", "clauses", *STATUSES, "cases"]
    rows = [columns, ["---", *["--:"] * (len(columns) - 1)]]
    for name, ruleset in _shipped().items():
        counts = Counter(clause.status for clause in own_clauses(ruleset))
        numbers = [counts.total(), *(counts[status] for status in STATUSES), cases[name]]
        rows.append([f"[`{name}`](rulesets/{name}.md)", *map(str, numbers)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


if __name__ == "__main__":
    for path, text in pages().items():
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.relative_to(PROJECT)}")
