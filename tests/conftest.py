"""The tiers of the tests, and fixtures that all tests share. README.md in this folder tells of both."""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
import signal
import time
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from vassal_umpire.__main__ import GARBAGE
from vassal_umpire.importers.vassal.buildfile import open_module
from vassal_umpire.importers.vassal.limits import DEFAULT_LIMITS
from vassal_umpire.importers.vassal.module import Module
from vassal_umpire.model.finding import Audit
from vassal_umpire.model.game import Game
from vassal_umpire.model.table import TableHistory
from vassal_umpire.plugin import shown as audits_shown
from vassal_umpire.plugin.reading import Named, read_history
from vassal_umpire.validators.ruleset import Ruleset
from vassal_umpire.validators.suspects import Suspected

PROJECT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The same browser in all of them; the first, without windows, takes half the time."""

BEYOND = {"corpus", "longest_day", "each_corpus_file", "browser"}
"""Fixtures and marks of what the default tier does without."""

BUDGET = float(os.environ.get("UMPIRE_BUDGET") or 4)
"""Seconds of processor that a test of the default tier may take, on a machine that counts to
:data:`COUNTED` in :data:`COUNTING` seconds; a slower one gives more. ``UMPIRE_BUDGET``: other seconds, for
a machine that is busy with something else."""
COUNTED, COUNTING = 1_000_000, 0.04

# No test is about time: a busy machine may take as long as it likes for an example.
settings.register_profile(
    "default", deadline=None, derandomize=True, database=None, max_examples=20
)
EVERY_DAY = settings.get_profile("default")
"""Draws the same every day: chance decides no landing."""
settings.register_profile("ci", EVERY_DAY, print_blob=True)
settings.register_profile(
    "proof", EVERY_DAY, print_blob=True, derandomize=False, max_examples=2_000
)


# -- the tiers --------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers", "which tests run (tests/README.md)")
    for option, tier, told in (
        ("--all", "ci", "all that guards a landing: also files ci_*.py and tests marked ci"),
        ("--proof", "proof", "everything, drawn in full, for hours; goes on where it was stopped"),
    ):
        group.addoption(
            option, dest="tier", action="store_const", const=tier, default="default", help=told
        )


@pytest.hookimpl(tryfirst=True)  # before hypothesis reads its options
def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell started this in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.set_threshold(*GARBAGE)  # as the command does: what tests share stays
    tier = config.getoption("tier")
    os.environ["UMPIRE_TIER"] = tier  # before tiers.py is read
    os.environ["UMPIRE_HOME"] = os.devnull  # the packs of whoever runs the tests do not count
    settings.load_profile(tier)
    if tier != "proof":
        draw_no_constants()
    elif config.getoption("hypothesis_seed") is None:
        from tiers import SEED  # known once the tier is

        config.option.hypothesis_seed = SEED
    for name in ("ci", "proof")[: ("default", "ci", "proof").index(tier)]:
        config.addinivalue_line("python_files", f"{name}_*.py")
    if getattr(config.option, "dist", "no") == "load":  # -n: groups of tests, in our order
        config.option.dist, config.option.loadscopereorder = "loadgroup", False
    if hasattr(config, "workerinput"):
        config.option.loadgroup = True
    for line in (
        "ci: run by --all and --proof alone",
        "proof: run by --proof alone",
        "each_corpus_file(*patterns, one_in=1): run with `path` set to each corpus file matching one of"
        " them; before a proof, to one in so many of these, drawn by the seed",
        "long: run first: else one worker would be left with it, and the others done",
        "xdist_group(name): tests that one worker runs",
    ):
        config.addinivalue_line("markers", line)


def draw_no_constants() -> None:
    """Keep hypothesis from parsing 600 files for constants to draw: 3 s for each worker. It has no setting
    for this; a version that does not have the function any more parses them."""
    with suppress(ImportError):
        from hypothesis.internal.conjecture import providers

        providers.is_local_module_file = lambda path: False


def marks_of(item: pytest.Item) -> set[str]:
    """The marks of a test; one that asks for what others made, or for a browser, belongs to ci."""
    marks = {marker.name for marker in item.iter_markers()}
    asks = {*getattr(item, "fixturenames", ()), *marks} & BEYOND
    return marks | ({"ci"} if asks else set())


@pytest.hookimpl(wrapper=True)
def pytest_collect_directory(path: Path) -> Generator[None, Any, Any]:
    """Keep to one node for each folder. pytest 9.1 makes new ones for those beside a file that is named, and
    only the first has the fixtures of its conftest."""
    return FOLDERS.setdefault(path, (yield))


FOLDERS: dict[Path, Any] = {}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Run side by side (``-n``), a file's tests stay together (those with a kit, ruleset by ruleset), and so
    do all that look at the long game: what they share is then made once."""
    shared = "longest_day" in getattr(item, "fixturenames", ())
    kit = getattr(getattr(item, "callspec", None), "params", {}).get("kit")
    name = "longest_day" if shared else f"{item.path.as_posix()} {getattr(kit, 'name', '')}"
    item.add_marker(pytest.mark.xdist_group(name))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to a later tier, but for what is named alone on the command line, and what
    an earlier proof has done. The long ones come first."""
    later = {"default": {"ci", "proof"}, "ci": {"proof"}, "proof": set()}[config.getoption("tier")]
    later = set() if any("::" in argument for argument in config.args) else later
    done = proved(config)
    out = [item for item in items if item.nodeid in done or later & marks_of(item)]
    if out:
        config.hook.pytest_deselected(items=out)
        left_out = set(out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def counting() -> float:
    """How often longer this machine counts than the one that :data:`BUDGET` was set on; 1 at least."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        for _ in range(COUNTED):
            pass
        taken.append(time.process_time() - begun)
    return max(1.0, min(taken) / COUNTING)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test of the default tier that takes too much of everybody's time. What several tests share
    (fixtures) is not counted."""

    def spent() -> float:
        return sum(os.times()[:4])  # with children

    begun = spent()
    yield
    took = spent() - begun
    later = item.path.name.startswith(("ci_", "proof_")) or "ci" in marks_of(item)
    if later or item.config.getoption("tier") != "default" or took <= BUDGET:
        return
    if took > (allowed := BUDGET * counting()):
        told = f"{took:.1f} s of processor, {allowed:.1f} s is what a test of the default tier may take"
        pytest.fail(f"{told}: draw less (tiers.py), or mark it ci", pytrace=False)


# -- a proof that goes on where it was stopped ------------------------------------------------------


def proof_record(config: pytest.Config) -> Path:
    """The file of the tests that passed in a proof of the program as it is now."""
    digest = hashlib.sha256()
    for top in ("model", "importers", "validators", "plugin", "samples", "tests"):
        for path in sorted((PROJECT / top).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
    return config.cache.mkdir("proof") / f"{digest.hexdigest()[:16]}.txt"


def proved(config: pytest.Config) -> frozenset[str]:
    """The tests that need not run again in this proof."""
    if config.getoption("tier") != "proof":
        return frozenset()
    record = proof_record(config)
    return frozenset(record.read_text("utf-8").splitlines() if record.exists() else ())


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name what failed at once: the summary may be half an hour away."""
    if report.failed and TERMINAL:
        TERMINAL[0].write_line(f"\nFAILED {report.nodeid}")
    if PROOF_RECORD and report.when == "call" and report.passed:
        with PROOF_RECORD[0].open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")


PROOF_RECORD: list[Path] = []
TERMINAL: list[pytest.TerminalReporter] = []


def pytest_sessionstart(session: pytest.Session) -> None:
    proof = session.config.getoption("tier") == "proof"
    PROOF_RECORD[:] = [proof_record(session.config)] if proof else []
    is_worker = hasattr(session.config, "workerinput")
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    TERMINAL[:] = [] if is_worker or reporter is None else [reporter]


# -- real files and a browser -----------------------------------------------------------------------


def find_corpus() -> Path | None:
    """The folder of real VASSAL files, if it lies on this machine."""
    named = os.environ.get("UMPIRE_CORPUS")
    folder = Path(named) if named else PROJECT.parent / "shared" / "corpus"
    return folder if (folder / "README.md").is_file() else None


def corpus_files(*patterns: str) -> list[Path]:
    """All corpus files matching ``patterns``, sorted; [] where the corpus is not here.

    For ``@pytest.mark.each_corpus_file``: an empty list makes pytest skip the test with a reason.
    """
    folder = find_corpus()
    if folder is None:
        return []
    return sorted({path for pattern in patterns for path in folder.glob(pattern)})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``each_corpus_file``: test modules cannot import this one (import mode ``importlib``)."""
    marker = metafunc.definition.get_closest_marker("each_corpus_file")
    if marker is not None:
        from tiers import drawn  # known once the options are read

        files = corpus_files(*marker.args)
        files = drawn(files, len(files) // marker.kwargs.get("one_in", 1))
        metafunc.parametrize("path", files, ids=lambda path: f"{path.parent.name}/{path.name}")


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """Chromium, one for all tests of a worker; skips where there is none, or no Playwright to drive it."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(
            "no Chromium is on this machine (Debian: apt-get install chromium-headless-shell)"
        )
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The corpus folder; skips where it is not on this machine."""
    folder = find_corpus()
    if folder is None:
        pytest.skip("the corpus of real VASSAL files is not on this machine (set UMPIRE_CORPUS)")
    return folder


@pytest.fixture(scope="session")
def longest_day(corpus: Path) -> tuple[Module, TableHistory]:
    """The real game of seventeen logs, replayed once for all who look at it."""
    logs = tuple(sorted((corpus / "tld" / "game").glob("*.log")))
    assert len(logs) == 17
    module = open_module(corpus / "tld" / "TheLongestDay-3.0b6.vmod")
    return module, read_history(Named(logs), module, DEFAULT_LIMITS)


@pytest.fixture(scope="session", autouse=True)
def suspected_once() -> Iterator[None]:
    """What a pack is suspected of is worked out once for an audit that many tests ask for: it takes four
    times as long as judging. Audits are alike if their moves, findings and games are equal, whatever the game
    and its files are called."""
    worked_out: deque[tuple[object, Game, Suspected]] = deque(maxlen=60)
    work_out = audits_shown.suspects

    def suspects(game: Game, ruleset: Ruleset, found: Audit, *args: Any, **more: Any) -> Any:
        asked = ruleset.name, more["retired"], more["is_part"], found.moves, found.findings
        bare = replace(game, title="", sources=())
        for known, of, there in worked_out:
            if known == asked and of == bare:
                return there
        there = work_out(game, ruleset, found, *args, **more)
        worked_out.append((asked, bare, there))
        return there

    audits_shown.suspects = suspects
    yield
    audits_shown.suspects = work_out


@pytest.fixture
def unsuspected(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pack is suspected of anything; to look for that takes longest."""
    monkeypatch.setattr(audits_shown, "suspects", lambda *_, **__: Suspected())


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the checkout."""
    return PROJECT


def pytest_report_header() -> str:
    """The seed of what is drawn anew every day, before anything is run."""
    from tiers import SEED, TIER  # known once the options are read

    return f"tier {TIER}, drawn with UMPIRE_SEED={SEED}"
