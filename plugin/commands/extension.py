"""``umpire extension``: flags, and a report, for use inside VASSAL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...importers.ordinary import open_ordinary
from ...importers.vassal.buildfile import open_module
from ...importers.vassal.limits import DEFAULT_LIMITS, Limits
from ...model.json_values import json_values
from ...model.problem import UmpireError
from ...model.schemas import faults
from ..options import LIMITED, argument, declared, option, output_options
from ..output import output_to
from ..reports.json import FORMAT, VERSION
from ..vassal.extension import flags_extension

EPILOG = """\b
Examples:
  umpire extension game.vmod -o umpire.vmdx
  umpire audit turn-1.vlog -o report.json
  umpire extension game.vmod --report report.json -o umpire.vmdx

\b
In VASSAL's library window choose the module, then "Add extension"; or put
the file into the folder game_ext beside game.vmod.
"""


@declared("extension", epilog=EPILOG, short_help="Write an extension with flags, and a report.")
def command(
    module: Path = argument(),
    output: Path = output_options("The extension to write, NAME.vmdx.", required=True),
    force: bool = False,
    report: Path | None = option(
        "A JSON report of 'umpire audit', to be shown in a window inside VASSAL."
    ),
    limits: Limits = LIMITED,
) -> None:
    """Write an extension for MODULE with the umpire's flags as pieces, and with --report a window that shows
    a report. It changes nothing else in the module.

    A report shows everything it was made with: one made with --director shows all to whoever loads it.
    """
    inputs = [module, *([report] if report is not None else [])]
    out = output_to(output, inputs, force=force)
    opened = open_module(module, limits=limits)
    shown = None if report is None else read_report(report, limits)
    data = flags_extension(module, opened, shown, limits)
    out.write_zip(data)


def read_report(path: Path, limits: Limits = DEFAULT_LIMITS) -> dict[str, Any]:
    """Read a JSON report. Raises :class:`UmpireError` if it is none, or has an unknown version."""
    expected = "what 'umpire audit --format json' writes"
    try:
        with open_ordinary(path) as file:
            data = file.read(limits.document + 1)
    except OSError as error:
        raise UmpireError(
            f"cannot be read: {error.strerror or error}", where=str(path), expected=expected
        ) from None
    if len(data) > limits.document:
        raise UmpireError("is too big for a report", where=path.name, expected=expected)
    told = json_values(data, path.name, limits.values)
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise UmpireError("is not a report", where=path.name, expected=expected)
    if told.get("version") != VERSION:
        found = f"a report of version {told.get('version')!r}"
        raise UmpireError(f"is {found}", where=path.name, expected=f"version {VERSION}")
    wrong = faults("report", told)
    if wrong:
        more = f" (and {len(wrong) - 1:,} more)" if len(wrong) > 1 else ""
        raise UmpireError(f"{wrong[0]}{more}", where=path.name)
    return told
