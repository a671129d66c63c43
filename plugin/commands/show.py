"""``umpire show``: a game step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from ...importers.vassal.actors import actors_seen
from ...importers.vassal.limits import Limits
from ...importers.vassal.module import Module
from ...model.table import LogHistory, taken_back
from ...model.viewer import Viewer
from ..json_text import line_text
from ..narrative import (
    KINDS,
    StepJson,
    cancelled_steps,
    follow_unseen,
    gaps_told,
    log_problems,
    log_told,
    module_told,
    narrowed,
    step_told,
    unseen_pieces,
)
from ..options import LIMITED, VIEWER, argument, declared, form_option, option
from ..output import print_text
from ..reading import iter_logs, named_files
from ..step_text import Style, style_of, worth_telling

EPILOG = """\b
Examples:
  umpire show turn-1.vlog turn-2.vlog
  umpire show turn-1.vlog --only moves,dice --clean
  umpire show turn-1.vlog --format markdown > turn-1.md
"""


class _Kinds(click.ParamType):  # type: ignore[type-arg]  # generic only in later versions of click
    name = "kinds"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        kinds = tuple(part.strip() for part in str(value).split(",") if part.strip())
        for kind in kinds:
            if kind not in KINDS:
                self.fail(f"{kind!r} is none of {', '.join(KINDS)}", param, ctx)
        return kinds


@declared("show", epilog=EPILOG, short_help="Show a game step by step.")
def command(
    logs: tuple[Path, ...] = argument(),
    only: tuple[str, ...] = option(
        f"Show only: {', '.join(KINDS)}.",
        type=_Kinds(),
        multiple=False,
        default="",
        metavar="KINDS",
    ),
    clean: bool = option("Leave out what was taken back, and the undos."),
    form: str = form_option(choices=["text", "markdown", "jsonl"]),
    module: Path | None = option("The module; by default the one beside the log."),
    verbose: bool = option(
        "Also show what modules write only for the chat window.", "-v", "--verbose"
    ),
    viewer: Viewer = VIEWER,
    limits: Limits = LIMITED,
) -> None:
    """Show a game over one or many LOGS (or saves), step by step.

    Shows step, player and side; turn and phase if the logs hold them; what went from where to where, what
    changed, chat, dice. Only what every player may see is shown, unless --as or --director say otherwise. A
    name followed by ? is a guess from the steps around. Tags and colour marks in a module's messages are left
    out, and so are lines that hold nothing else, except with --verbose.
    """
    named = named_files(logs, module, None, None, limits)
    told = tell_logs(named.logs, only, clean, named.module, viewer, limits)
    if form == "jsonl":
        print_text(line_text(part) for part in told if worth_telling(part))
    else:
        print_text(render(told, style_of(form, verbose=verbose)))


def tell_logs(
    logs: tuple[Path, ...],
    only: tuple[str, ...],
    clean: bool,
    module_path: Path | None,
    viewer: Viewer,
    limits: Limits,
) -> Iterator[StepJson]:
    """The logs one by one; each is read only after those before it were shown."""
    before: LogHistory | None = None
    seen: list[Module] = []
    for number, (history, module) in enumerate(iter_logs(logs, module_path, viewer, limits), 1):
        yield {**log_told(history, number), "gaps": gaps_told(before, history, viewer)}
        yield from tell_steps(history, only, clean, viewer, number)
        if module is not None and not any(module is one for one in seen):
            seen.append(module)
            yield module_told(module, number)
        before = history


def tell_steps(
    history: LogHistory, only: tuple[str, ...], clean: bool, viewer: Viewer, number: int
) -> Iterator[StepJson]:
    """The log's steps and its problems."""
    history = actors_seen(history, viewer)
    counted = {step.number: step.engine_number for step in history.steps}
    left_out = cancelled_steps(history.steps) if clean else frozenset()
    back: Mapping[int, int] = taken_back(history.steps)
    unseen = unseen_pieces(history, viewer)
    for step in history.steps:
        follow_unseen(unseen, step, viewer)
        if step.number in left_out:
            continue
        told = {
            **step_told(step, viewer, unseen),
            "taken_back_by": counted.get(back.get(step.number, 0)),
        }
        if told["undo"] is not None:
            told["undo"]["step"] = counted.get(told["undo"]["step"])
        shown = narrowed(told, only)
        if shown is not None:
            yield shown
    yield {
        "kind": "end",
        "log": number,
        "problems": [str(p) for p in log_problems(history, viewer)],
    }


def render(told: Iterator[StepJson], style: Style) -> Iterator[str]:
    """Lines of text as they come."""
    for part in told:
        if part["kind"] == "log":
            yield style.log(part)
        elif part["kind"] == "end":
            yield style.end(part)
        elif part["kind"] == "module":
            yield style.module(part)
        elif worth_telling(part):
            yield style.step(part)
            for turn in part["turns"]:
                yield style.turn(turn["after"])
