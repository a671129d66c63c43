"""What the parts of a pack must not say against each other: names, numbers, records."""

from __future__ import annotations

from ...model.problem import Problem
from .cells import cell_fact
from .pack import Lookup, Pack
from .provenance import FILE as PROVENANCE_FILE
from .toml_file import TomlFile
from .toml_text import Path_


def check_whole(pack: Pack, toml: TomlFile) -> None:
    """Note every fault between the parts of a pack in ``toml``."""
    _names(pack, toml)
    _numbers(pack, toml)
    _records(pack, toml)


def _records(pack: Pack, toml: TomlFile) -> None:
    """A pack that holds cells nobody has looked at says so: else a lost file would vouch for them."""
    waiting = [record for record in pack.records if not record.is_known]
    if waiting and not pack.provenance_required:
        key = waiting[0].key
        message = (
            f'expected provenance = "required" where {PROVENANCE_FILE} has cells that are suggested, '
            f"imported or filled ({key.cell} {key.layer} …); found none"
        )
        toml.fault(("board",), message)


def _numbers(pack: Pack, toml: TomlFile) -> None:
    """Cells of units.csv that are to be numbers."""
    sheet = pack.counters
    if sheet is None:
        return
    for name, looks in pack.units.attributes.items():
        columns = {look.what.lower() for look in looks if look.kind == "column" and look.number}
        for row in sheet.rows if columns else ():
            for column in columns:
                cell = row.get(column)
                reading = [k for k in looks if k.kind == "column" and k.what.lower() == column]
                if cell.strip() and all(
                    cell_fact(cell, look.map, look.number, "") is None for look in reading
                ):
                    expected = "expected a number, 6|8, 6..8, ? or nothing"
                    message = f"{column}: {expected} ({name}); found {cell}"
                    toml.problems.append(Problem("pack", message, sheet.where(row), "error"))


def _names(pack: Pack, toml: TomlFile) -> None:
    """Names that must exist: forms of phases, columns of units.csv."""
    for index, rule in enumerate(pack.phases.values()):
        for form in rule.forms:
            if form not in pack.forms:
                known = ", ".join(pack.forms) or "none"
                message = f"phase {rule.name}: expected forms with a [[form]] table ({known}); found {form}"
                toml.fault(("phase", index, "forms"), message)
    columns = pack.counters.columns if pack.counters else ()
    lookups: list[tuple[Path_, Lookup]] = [(("units", "side"), look) for look in pack.units.side]
    for name, looks in pack.units.attributes.items():
        lookups.extend((("units", "attributes", name), look) for look in looks)
    units = pack.units
    asked = [
        (path, look.what.lower(), look.what) for path, look in lookups if look.kind == "column"
    ]
    for key, selectors in (("are", units.are), ("not", units.excluded), ("markers", units.markers)):
        asked += [
            (("units", key, i, "column"), s.column, s.column)
            for i, s in enumerate(selectors)
            if s.column is not None
        ]
    asked += [
        (("board", "marker", i, "column"), m.what.column, m.what.column)
        for i, m in enumerate(pack.board_markers)
        if m.what.column is not None
    ]
    for path, column, said in asked:
        if column not in columns:
            known = ", ".join(columns) or "no units.csv"
            toml.fault(path, f"expected a column of units.csv ({known}); found {said}")
