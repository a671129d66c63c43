"""Patterns mean what they mean in ``re``, and never take longer than their length times the text's."""

from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from vassal_umpire.model.entities import resolved
from vassal_umpire.model.patterns import Effort, Pattern, PatternError, compile_pattern
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


def ours(text: str) -> Pattern | None:
    try:
        return compile_pattern(text)
    except PatternError:
        return None


@given(patterns, st.text("aabbcAä1_ \n", max_size=10))
@example("(?P<a>.+?)(?P<b>a|ab)(c|bcd)*", "xabcd")
def test_a_pattern_finds_what_re_finds(pattern: str, text: str) -> None:
    mine = ours(pattern)
    if mine is None or (not text and r"\B" in pattern):  # Pythons differ on \B in an empty text
        return
    theirs = re.compile(pattern)
    for found, wanted in (
        (mine.search(text), theirs.search(text)),
        (mine.fullmatch(text), theirs.fullmatch(text)),
    ):
        assert (found is None) == (wanted is None)
        if found is not None and wanted is not None:
            assert (found.whole, found.groups()) == (wanted[0], wanted.groups())
            assert found.slots[:2] == wanted.span()
            assert found.groupdict() == wanted.groupdict()
    assert mine.fits(text) == (theirs.search(text) is not None)


@given(
    patterns,
    st.text("ab1 ", min_size=1, max_size=4),
    st.integers(1, 300),
    st.text("ab!", max_size=3),
)
@example("(a+)+b", "a", 3000, "")
@example("(?:a|aa)+$", "a", 3000, "b")
@example("(.*)(.*)(.*)(.*)x$", "a", 3000, "")
@example("(?P<unit>.+) spends (?P<amount>[0-9½]+) MP", "x spends 1 ", 300, " MP")
def test_no_pattern_takes_more_steps_than_its_length_times_the_texts(
    pattern: str, part: str, times: int, end: str
) -> None:
    mine = ours(pattern)
    if mine is None:
        return
    text = part * times + end
    mine.fits(text), mine.search(text), mine.fullmatch(text)
    size = len(mine.program.code)
    looks = 1 if mine.program.plain else sum(1 + len(text) for i in mine.program.code if i.look)
    inner = sum(len(i.look.code) for i in mine.program.code if i.look)
    assert mine.effort.taken <= 30 * (len(text) + 2) * (size + inner + 2) * looks


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(a", "missing )"),
        (r"(a)\1", "refers back"),
        ("(?>a*)b", "atomic"),
        ("a*+b", "possessive"),
        ("(a*)*", "may be empty"),
        ("((a{99}){99}){99}", "repeats too much"),
        ("x" * 3_000, "more than 2,000 characters"),
        ("(" * 900 + ")" * 900, "nested too deeply"),
        ("(?=(a))a", "group inside"),
    ],
)
def test_what_is_no_pattern_is_said_in_words(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match=re.escape(reason)):
        compile_pattern(pattern)


def test_patterns_that_share_an_effort_stop_when_it_is_used_up() -> None:
    effort = Effort(most=1_000)
    pattern = compile_pattern("(a+) spends ([0-9]+)", effort)
    assert pattern.search("a spends 1") is not None
    with pytest.raises(UmpireError, match="patterns of the pack take too long"):
        pattern.search("a" * 2_000)


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


def test_a_text_that_is_asked_of_again_takes_no_effort() -> None:
    pattern = compile_pattern("spends")
    assert pattern.fits("4 Inf spends 2")
    taken = pattern.effort.taken
    assert pattern.fits("4 Inf spends 2")
    assert pattern.effort.taken == taken
    assert not pattern.fits("4 Inf spent 2")
    assert not pattern.fits("4 Inf spent 2")
    assert pattern.fits("4 Inf spends 2")


@pytest.mark.parametrize(
    "text",
    [
        "(?!4023$|4024$)[0-9]{4}", "(?![0-9]{4}$).+|4023", r"a(?=\bb|c$)", "(?<=a^)b|(?<!a)b",
        "(?!(?!a)b)[ab]+", "(?<=ab)c+(?!d|$)", "(?=)a",
    ],
)  # fmt: skip
def test_what_is_looked_for_ahead_and_behind_is_what_re_looks_for(text: str) -> None:
    mine, theirs = compile_pattern(text), re.compile(text)
    for asked in ("4023", "4023a", "0403", "40", "", "ab", "a b", "ac", "acc", "b", "aab", "abcc",
                  "abccd", "abab", "4023\n", "ac\n"):  # fmt: skip
        whole = theirs.fullmatch(asked)
        assert (mine.fullmatch(asked) is None) == (whole is None), asked
        found, wanted = mine.search(asked), theirs.search(asked)
        assert (None if found is None else found.slots[:2]) == (
            None if wanted is None else wanted.span()
        ), asked
        assert mine.fits(asked) == (wanted is not None), asked
