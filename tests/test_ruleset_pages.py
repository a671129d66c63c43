"""The pages of the rulesets say what is so, and every clause of the texts is accounted for."""

from __future__ import annotations

import csv
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest
from sample_pack import PROJECT
from vassal_umpire.importers.pack.pack_tables import charts_of
from vassal_umpire.model.schemas import faults
from vassal_umpire.plugin.registry import rulesets
from vassal_umpire.validators.rulebook import Rulebook

LISTED = PROJECT / "tests" / "listed"
DIGESTS = PROJECT.parent / "shared" / "rules"
RULESETS = {name: one for name, one in rulesets().parts.items() if isinstance(one, Rulebook)}
WRITTEN = sorted(path.stem for path in LISTED.glob("*.csv"))
"""The rulesets of which a list of all clauses of the text is there."""


def _pages() -> dict[Path, str]:
    spec = importlib.util.spec_from_file_location("docs_build", PROJECT / "docs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[Path, str] = module.pages()
    return found


@pytest.mark.ci
def test_the_generated_parts_of_the_pages_are_up_to_date() -> None:
    stale = [
        path.relative_to(PROJECT).as_posix()
        for path, text in _pages().items()
        if not path.is_file() or path.read_text("utf-8") != text
    ]
    assert stale == [], "run: python docs/build.py"


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_each_page_has_a_template_of_a_pack_that_fits_the_schemas(name: str) -> None:
    page = (PROJECT / "docs" / "rulesets" / f"{name}.md").read_text("utf-8")
    templates = [tomllib.loads(text) for text in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]
    whole = [template for template in templates if "pack" in template]
    assert whole, "no template of a pack.toml"
    for template in whole:
        assert template["pack"]["ruleset"] == name
        told = [
            f"{f.place}: expected {f.expected}; found {f.found}" for f in faults("pack", template)
        ]
        told += [
            f"rules.{f.place}: expected {f.expected}; found {f.found}"
            for f in RULESETS[name].schema.faults(charts_of(template.get("rules", {}))[0])
        ]
        assert told == []


def listed(name: str) -> dict[str, str]:
    """The clauses of a ruleset's text by id, each with whether a log can show it broken: ``yes``,
    ``open`` (it hangs on what is seldom known) or ``no``."""
    with (LISTED / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return {row["clause"]: row["shown"] for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", WRITTEN)
def test_every_clause_of_the_text_is_accounted_for(name: str) -> None:
    clauses = RULESETS[name].clauses()
    assert [
        key for key in listed(name) if RULESETS[name].manifest.prefix + key not in clauses
    ] == []


@pytest.mark.parametrize("name", WRITTEN)
def test_a_clause_that_a_log_can_show_broken_is_enforced_or_says_why_not(name: str) -> None:
    clauses = RULESETS[name].clauses()
    silent = [
        key
        for key, shown in listed(name).items()
        if shown == "yes"
        and (clause := clauses[RULESETS[name].manifest.prefix + key]).status != "enforced"
        and len(clause.reason) < 20
    ]
    assert silent == []


CERTAIN = re.compile(r"\b(?:ILL|MPC|OVR|ORDER E|OVERSTACK E|ILLEGAL E|MP-SHORT E)\b")
PERHAPS = re.compile(r"\b(?:CNV|U|ILLEGAL W|W)\b")


def read_digest(text: str) -> dict[str, str]:
    """The clause tables of a digest (section 2): id and whether a log can show the clause broken."""
    section = next(
        s for s in re.split(r"^## ", text, flags=re.M) if s.startswith("2. Clause table")
    )
    found: dict[str, str] = {}
    head: list[str] = []
    for line in section.splitlines():
        if not line.startswith("|"):
            head = []
        elif not head:
            head = [cell.strip().lower() for cell in line.strip("|").split("|")]
        elif not set(line) <= set("|-: "):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            row = dict(zip(head, cells, strict=False))
            cell = next(value for key, value in row.items() if key.startswith("finding"))
            shown = "yes" if CERTAIN.search(cell) else "open" if PERHAPS.search(cell) else "no"
            found[cells[0].strip("`")] = shown
    return found


NOT_IN_DIGEST = {"valor-and-victory": ("8.5-a",)}
"""Clauses of the rules themselves that the digest leaves out; a log can show them."""


@pytest.mark.parametrize("name", WRITTEN)
def test_the_list_of_clauses_is_the_digest_s(name: str) -> None:
    if not DIGESTS.is_dir():
        pytest.skip("the digests of the rule texts are not on this machine")
    file = "zoc-classes-ww2" if name == "zoc-classes" else name
    digest = read_digest((DIGESTS / f"{file}.md").read_text("utf-8"))
    assert listed(name) == digest | dict.fromkeys(NOT_IN_DIGEST.get(name, ()), "yes")


# -- no ruleset goes without a kit, a sample game, and a benchmark ----------------------------------


PROVED = sorted(
    name
    for name, one in rulesets().parts.items()
    if isinstance(one, Rulebook) and name != "generic" and not one.manifest.extends
)
"""Rulesets in code of their own. ``generic`` is data, and proved in tests/validators by its own twin; so
is what extends it by tables (``battle-for-moscow`` also by a walker in tests/test_battle_for_moscow.py)."""


@pytest.mark.parametrize("name", PROVED)
def test_it_has_a_kit_a_sample_game_a_benchmark_and_its_numbers_on_the_pages(name: str) -> None:
    folder = PROJECT / "samples" / name
    due = ("*.vmod", "*.vlog", "pack/pack.toml", "expected-report.txt", "README.md")
    kits = "".join(p.read_text("utf-8") for p in (PROJECT / "tests" / "play").glob("*.py"))
    found = {
        "a kit that plays it": re.search(rf'\bname(?:: str)? = "{name}"', kits),
        **{pattern: any(folder.glob(pattern)) for pattern in due},
    }
    for page, pattern in (
        ("benchmarks/rulesets.py", rf'Trial\(\s*"{name}"'),
        ("docs/proof.md", rf"^\| {name} \|(?: [\d,]+ \|){{6}}$"),
        ("docs/detection.md", rf"^## {name}$"),  # which planted errors are found
    ):
        text = (PROJECT / page).read_text("utf-8")
        found[page] = re.search(pattern, text, re.MULTILINE)
    assert [what for what, there in found.items() if not there] == []
