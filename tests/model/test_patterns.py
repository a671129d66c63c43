"""Patterns mean what they mean in ``re``, and stop when their time is up."""

from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from vassal_umpire.model.entities import resolved
from vassal_umpire.model.patterns import Effort, PatternError, compile_pattern
from vassal_umpire.model.problem import UmpireError

ATOMS = [
    *"abcä1 _",
    ".",
    "[ab]",
    "[^a]",
    r"\w",
    r"\d",
    r"\s",
    "^",
    "$",
    r"\b",
    r"\B",
    r"\Z",
    r"\A",
    "(?i:A)",
]
REPEATS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}"]


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda p: f"(?:{p[0]}|{p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]}|{p[1]})"),
        inner.map(lambda p: f"({p})"),
        st.tuples(inner, st.sampled_from(REPEATS)).map(lambda p: f"(?:{p[0]}){p[1]}"),
        inner.map(lambda p: f"(?={p})"),
        inner.map(lambda p: f"(?!{p})"),
        st.sampled_from(["a", "ab", ".", r"\w"]).map(lambda p: f"(?<={p})"),
        st.sampled_from(["a", "ab", ".", r"\w"]).map(lambda p: f"(?<!{p})"),
    )


patterns = st.tuples(
    st.sampled_from(["", "(?i)", "(?m)", "(?s)", "(?a)"]),
    st.recursive(st.sampled_from(ATOMS), larger, max_leaves=12),
).map("".join)


@given(patterns, st.text("aabbcAä1_ \n", max_size=10))
@example("(?P<a>.+?)(?P<b>a|ab)(c|bcd)*", "xabcd")
@example("(?![0-9]{4}$).+|4023", "4023a")
@example("x{e}[{]\\{{,2}a{}", "x{e}{{a{}")
def test_a_pattern_finds_what_re_finds(pattern: str, text: str) -> None:
    if not text and r"\B" in pattern:  # Pythons differ on \B in an empty text
        return
    mine, theirs = compile_pattern(pattern), re.compile(pattern)
    for found, wanted in (
        (mine.search(text), theirs.search(text)),
        (mine.fullmatch(text), theirs.fullmatch(text)),
    ):
        assert (found is None) == (wanted is None)
        if found is not None and wanted is not None:
            assert (found.span(), found.groups()) == (wanted.span(), wanted.groups())
            assert found.groupdict() == wanted.groupdict()
    assert mine.fits(text) == (theirs.search(text) is not None)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(a", "missing )"),
        ("((a{99}){99}){99}", "repeats too much"),
        ("(?=(?:(?:b?){99}){99})" * 9, "repeats too much"),
        ("x" * 3_000, "more than 2,000 characters"),
        ("(" * 900 + ")" * 900, "nested too deeply"),
    ],
)
def test_what_is_no_pattern_is_said_in_words(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match=re.escape(reason)):
        compile_pattern(pattern)


def test_patterns_that_share_an_effort_stop_when_it_is_used_up() -> None:
    effort = Effort(most=0.05)
    plain, slow = compile_pattern("spends ([0-9]+)", effort), compile_pattern("(a|aa)+$", effort)
    assert plain.search("a spends 1") is not None
    for text in ("a" * 99 + "b", "a spends 1"):
        with pytest.raises(UmpireError, match="patterns of the pack take too long"):
            slow.search(text * 99)
    assert effort.taken >= effort.most


@given(st.text("&#0123456789;xaé"))
def test_entities_are_resolved_as_html_does(text: str) -> None:
    import html

    assert resolved(text) == html.unescape(text)


def test_no_number_of_an_entity_is_too_long() -> None:
    assert resolved("a&#" + "9" * 5_000 + ";b") == "a\ufffdb"
    assert resolved("&#" + "0" * 5_000 + "65;") == "A"


def test_reading_a_pattern_warns_nobody() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compile_pattern("[[a]").search("a") is not None
