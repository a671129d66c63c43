"""Rows as Arrow tables, which pandas, polars and DuckDB take as they are. Needs pyarrow (the extra
``[frames]``), which is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..importers.analysis.columns import Column, Kind
from ..model.problem import UmpireError
from .installed import install_command
from .json_text import clean

if TYPE_CHECKING:
    import pyarrow

Row = Mapping[str, Any]
"""A row of a table, by the names of its columns; what is not in it is null."""


def arrow() -> Any:
    """The module pyarrow; :class:`UmpireError` where it is not installed."""
    try:
        import pyarrow
    except ImportError:
        raise UmpireError(
            "Arrow tables need pyarrow, which is not installed",
            hint=f"install it with: {install_command(['pyarrow'])}",
        ) from None
    return pyarrow


def schema(columns: Iterable[Column]) -> pyarrow.Schema:
    """The Arrow schema of a table with these columns; each field's metadata has its ``about``."""
    pa = arrow()
    types: Mapping[Kind, Any] = {
        "text": pa.string(),
        "texts": pa.list_(pa.string()),
        "whole": pa.int64(),
        "wholes": pa.list_(pa.int64()),
        "number": pa.float64(),
        "yes-no": pa.bool_(),
    }
    return pa.schema(
        [pa.field(c.name, types[c.kind], metadata={"about": c.about}) for c in columns]
    )


def frame(columns: Iterable[Column], rows: Iterable[Row]) -> pyarrow.Table:
    """An Arrow table with these columns of these rows; a row's other values are left out. Numbers too
    large for 64 bits become null."""
    pa = arrow()
    columns = tuple(columns)
    values: dict[str, list[Any]] = {column.name: [] for column in columns}
    for row in rows:
        for column in columns:
            values[column.name].append(_fitting(row.get(column.name), column.kind))
    return pa.table(values, schema=schema(columns))


def _fitting(value: Any, kind: Kind) -> Any:
    """``value`` as a column of this kind holds it."""
    if kind == "whole" and value is not None:
        return int(value) if -(2**63) <= value < 2**63 else None
    return clean(value) if kind in ("text", "texts") else value
