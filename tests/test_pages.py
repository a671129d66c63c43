"""README and the pages for people name every command, schema, page, key and column there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command_line import done
from sample_pack import PROJECT
from vassal_umpire.importers.pack.load import MATCH_COLUMNS
from vassal_umpire.plugin import cli
from vassal_umpire.plugin.commands.audit import FAIL_ON
from vassal_umpire.plugin.commands.schema import schema_names, schema_text
from vassal_umpire.plugin.reports.report import FINDING_KINDS, VERDICTS

PACKAGES = ("model", "importers", "validators", "plugin")
FOR_PROGRAMMERS = (
    "docs/architecture*.md",
    "docs/your-first-ruleset.md",
    "tests/*/README.md",
    "validators/rulesets/*/page.md",
)


def page(project: Path, name: str) -> str:
    return (project / name).read_text("utf-8")


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_the_page_on_commands_has_a_row_for_every_command(project: Path, command: str) -> None:
    rows = page(project, "docs/commands.md")
    assert re.search(rf"^\| `umpire {command} .*` \| ", rows, re.MULTILINE)


def test_the_page_on_commands_names_every_schema(project: Path) -> None:
    rows = page(project, "docs/commands.md").splitlines()
    row = next(row for row in rows if "`umpire schema NAME`" in row)
    rulesets = {
        path.name.replace("_", "-") for path in (project / "validators" / "rulesets").iterdir()
    }
    assert set(schema_names()) - set(re.findall(r"[\w-]+", row)) <= rulesets


def test_every_page_can_be_reached_from_the_readme(project: Path) -> None:
    reached, to_read = set(), ["README.md"]
    while to_read:
        name = to_read.pop()
        reached.add(name)
        for link in re.findall(r"\]\(([\w/.-]+\.md)\)", page(project, name)):
            target = (project / name).parent / link
            assert target.is_file(), f"{name}: {link}"
            found = target.resolve().relative_to(project).as_posix()
            to_read.extend({found} - reached)
    pages = {path.relative_to(project).as_posix() for path in project.glob("docs/*.md")}
    assert pages <= reached


@pytest.mark.ci
def test_the_pages_for_programmers_name_what_exists(project: Path) -> None:
    """Every file; every word of a name that may be one of the code: `Class.method`, `function`, `@clause`."""
    named = [
        name
        for one in ("CONTRIBUTING.md", *FOR_PROGRAMMERS)
        for file in sorted(project.glob(one))
        for name in re.findall(r"`([^`\n]+)`", _prose(file))
    ]
    modules = [f for d in (*PACKAGES, "tests", "docs") for f in sorted((project / d).rglob("*.py"))]
    paths = ["/" + module.relative_to(project).as_posix() for module in modules]
    files = {name for name in named if re.fullmatch(r"[a-z_/]+\.py", name)} - {"setup.py"}
    assert [name for name in files if not any(path.endswith("/" + name) for path in paths)] == []
    data = [
        f for d in PACKAGES for end in ("toml", "json") for f in (project / d).rglob(f"*.{end}")
    ]
    code = "\n".join(f.read_text("utf-8") for f in (*modules, *data, project / "pyproject.toml"))
    words = set(re.findall(r"\w+", code)) | {module.stem for module in modules}
    names = {name for name in named if re.fullmatch(r"@?[A-Za-z_][\w.]*(\(.*\))?", name)}
    names = {name for name in names if not name.endswith(".py")}
    assert len(files) > 20
    assert len(names) > 200
    assert [one for one in names if set(re.findall(r"\w+", one.split("(")[0])) - words] == []


def test_the_pages_on_reports_have_every_key_of_them(project: Path) -> None:
    text = page(project, "docs/reports.md") + page(project, "docs/report-formats.md")
    named = set(re.findall(r"`([a-z0-9_-]+)`", text))
    schema = json.loads(schema_text("report"))
    finding = schema["properties"]["findings"]["items"]
    parts = [schema, finding, schema["$defs"]["move"], schema["$defs"]["bill"]]
    keys = {key for part in parts for key in part.get("properties", {})}
    assert keys - named == set()
    assert {*FINDING_KINDS, *VERDICTS, *FAIL_ON} - named == set()
    codes = {"0", "1", "2", "3", cli.INTERNAL_ERROR, cli.INTERRUPTED, cli.CLOSED_PIPE}
    for code in codes:
        assert f"\n| {code} |" in text


def test_the_page_on_packs_has_the_columns_that_choose_pieces(project: Path) -> None:
    rows = page(project, "docs/pack-units.md").split("### units.csv")[1].split("\n#")[0]
    assert set(MATCH_COLUMNS) <= set(re.findall(r"`(\w+)`", rows))


def _excerpts() -> list[str]:
    """Paragraphs of the report that docs/doubt.md quotes."""
    section = (PROJECT / "docs" / "doubt.md").read_text("utf-8").split("## A first audit")[1]
    block = section.split("```")[1].strip("\n")
    return [part for part in re.split(r"\n\n(?=\S)", block) if part]


def test_both_commands_are_the_ones_promised() -> None:
    text = (PROJECT / "README.md").read_text("utf-8")
    first = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/umpire audit "
    assert f"{first}samples/crossroads/turn-1.vlog" in text
    assert ".venv/bin/pip install -e '.[test]' && .venv/bin/python -m pytest" in text


def test_the_first_command_prints_the_report_that_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    shown = done("audit", "samples/crossroads/turn-1.vlog", code=1)
    assert all(excerpt in shown for excerpt in _excerpts())


def _pages() -> list[Path]:
    of_rulesets = PROJECT.glob("validators/rulesets/*/page.md")
    at_the_root = (*PROJECT.glob("*.md"), PROJECT / "tests" / "README.md")
    return [*PROJECT.glob("docs/*.md"), *of_rulesets, *at_the_root]


def _prose(file: Path) -> str:
    """What a page says in words: without blocks of code, each paragraph on one line."""
    blocks = r"```.*?```|(?<=\n\n)(?: {4}[^\n]*\n+)+"
    text = re.sub(blocks, "", file.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"(?<!\n)\n(?=\S)(?![|#*-])", " ", text)


REFERENCES = {"analysis-format", "cli", "python", "report-formats"}


def test_no_page_but_references_has_more_than_2500_words() -> None:
    long = {file.stem for file in _pages() if len(_prose(file).split()) > 2500}
    assert long <= REFERENCES


CONSTRUCTIONS = (
    r"\bat the least\b",
    r"\bthe more so\b",
    r"\bso that it is\b",
    r"\bnot every \w+ (?:may|can)\b",
)
"""What reads as if translated, in pages as in messages and docstrings."""
IN_PAGES = (
    r"\b(?:with|of) that[,;]",
    r"\bwhat is (?:told|held|asked|said) of\b",
    r"\bheld against (?:nobody|anybody|him)\b",
    r"\b(?:nobody|no \w+) (?:\w+ ){0,2}but (?!not\b|it\b|that\b)",
    r"(?:^|[.;:] )Who (?:has|is|wants|was|reads|gives|runs|does|looks|shows|owns|needs)\b[^?]*[.]",
    r"\bHow, (?:stands|says)\b",
    r"\b(?:anywhere|nothing|anybody) (?:it|he) does not \w+[.]",
)
"""The same, in pages alone: inverted or verb-final order, free relatives as subjects."""


@pytest.mark.parametrize("pattern", CONSTRUCTIONS)
def test_messages_and_docstrings_are_written_in_plain_english(pattern: str) -> None:
    files = (file for folder in PACKAGES for file in (PROJECT / folder).rglob("*.py"))
    assert [
        file.name
        for file in files
        if re.search(pattern.replace(" ", r"\s+"), file.read_text("utf-8"))
    ] == []


@pytest.mark.parametrize("pattern", CONSTRUCTIONS + IN_PAGES)
def test_pages_are_written_in_plain_english(pattern: str) -> None:
    assert [
        f"{file.name}: {match[0]}"
        for file in _pages()
        for match in re.finditer(pattern, _prose(file), re.MULTILINE)
    ] == []
