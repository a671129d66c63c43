"""The tiers of the tests: what each runs, what is too dear for the first, how the last goes on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = {
    "test_one.py": """
        import hypothesis
        import pytest
        import tiers

        def test_cheap():
            assert tiers.by_tier(1, ci=2, proof=3) == {"default": 1, "ci": 2, "proof": 3}[tiers.TIER]
            assert tiers.SEED == 1 or tiers.TIER != "default"
            assert hypothesis.settings.default.derandomize is not tiers.PROOF
            assert hypothesis.core.global_force_seed == (tiers.SEED if tiers.PROOF else None)

        @pytest.mark.ci
        def test_marked():
            pass
        """,
    "ci_one.py": "def test_of_ci():\n    pass\n",
    "proof_one.py": "def test_of_proof():\n    pass\n",
    "test_two.py": """
        import pytest
        import time

        @pytest.mark.long
        def test_dear():
            begun = time.process_time()
            while time.process_time() < begun + 0.75:
                pass
        """,
}
OURS = ("UMPIRE_TIER", "UMPIRE_SEED", "PYTEST_ADDOPTS")
CHEAP, ALL = {"test_cheap"}, {"test_cheap", "test_marked", "test_dear", "test_of_ci"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout with a few tests, and the conftest of ours."""
    tests = tmp_path / "tests"
    tests.mkdir()
    for name in ("conftest.py", "tiers.py"):
        shutil.copy(HERE / name, tests)
    for name, text in FILES.items():
        (tests / name).write_text(re.sub("^        ", "", text, flags=re.M), "utf-8")
    ini = "[pytest]\npythonpath = tests\ntestpaths = tests\naddopts = --import-mode=importlib\n"
    (tmp_path / "pytest.ini").write_text(ini, "utf-8")
    return tmp_path


def ran(folder: Path, *words: str) -> str:
    """What pytest prints."""
    command = [sys.executable, "-m", "pytest", "-q", "-rA", *words]
    told = {k: v for k, v in os.environ.items() if k not in OURS}
    told["UMPIRE_BUDGET"] = "0.1"  # seconds; a slow machine has a multiple of it
    done = subprocess.run(
        command, cwd=folder, env=told, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def passed(text: str) -> set[str]:
    return set(re.findall(r"^PASSED \S+::(\w+)", text, re.M))


def test_each_tier_holds_those_before_it_but_no_dear_test_in_the_first(folder: Path) -> None:
    first = ran(folder)
    assert passed(first) == CHEAP
    assert re.search(r"FAILED tests/test_two.py::test_dear - .* s of processor", first)
    second = ran(folder, "--all")
    assert passed(second) == ALL
    assert re.findall(r"^PASSED \S+::(\w+)", second, re.M)[0] == "test_dear"  # it is long


def test_a_proof_goes_on_with_what_has_not_passed(folder: Path) -> None:
    assert passed(ran(folder, "--proof", "tests/test_one.py")) == {"test_cheap", "test_marked"}
    assert passed(ran(folder, "--proof")) == {"test_dear", "test_of_ci", "test_of_proof"}
    (folder / "tests" / "proof_one.py").write_text("def test_other():\n    pass\n", "utf-8")
    assert passed(ran(folder, "--proof", "-k", "cheap or other")) == {"test_cheap", "test_other"}


def test_what_is_named_runs_whatever_its_tier(folder: Path) -> None:
    named = ("tests/ci_one.py", "tests/test_one.py::test_marked")
    assert passed(ran(folder, *named)) == {"test_of_ci", "test_marked"}


def test_side_by_side_a_file_stays_with_one_worker(folder: Path) -> None:
    """xdist writes the group behind the name; with a pytest that it does not know it does not."""
    told = ran(folder, "--all", "-n", "2", "-k", "cheap or marked")
    groups = re.findall(r"^PASSED tests/test_one.py::\w+@(.*)", told, re.M)
    assert len(groups) == 2, told
    assert len(set(groups)) == 1


def test_files_named_in_any_order_have_the_fixtures_of_their_folder(folder: Path) -> None:
    below = folder / "tests" / "below"
    below.mkdir()
    fixture = "import pytest\n\n@pytest.fixture\ndef shared():\n    pass\n"
    (below / "conftest.py").write_text(fixture, "utf-8")
    for name in "ab":
        (below / f"test_{name}.py").write_text(f"def test_{name}(shared):\n    pass\n", "utf-8")
    files = ("tests/below/test_a.py", "tests/test_one.py", "tests/below/test_b.py")
    assert passed(ran(folder, *files)) == {"test_a", "test_cheap", "test_b"}
