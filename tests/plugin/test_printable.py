"""No text from a file can make a terminal show another text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vassal_umpire.plugin.printable import markdown, printable, readable_chat


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_nothing_that_controls_a_terminal_is_left(text: str) -> None:
    for char in printable(text):
        assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in "\u0600"


@given(st.text("abc äöü 漢字 →½<>&*_", max_size=50))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x07", "\\x07"),
        ("\x1b[31m", "\\x1b[31m"),
        ("a\u202eb", "a\\u202eb"),
        ("\ufeffx", "\\ufeffx"),
        ("two\nlines\t.", "two\\nlines\\t."),
        ("\udc80", "\\udc80"),
    ],
)
def test_unsafe_characters_are_spelt_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_long_texts_chat_and_markdown_are_shown_as_they_are_meant() -> None:
    assert printable("x" * 1000, 10) == "xxxxxxxxxx … (990 more characters)"
    assert readable_chat("&lt;Ann&gt; - 2 &amp; 3") == "<Ann> - 2 & 3"
    assert markdown("<b>*x*</b> [a](b)") == r"\<b\>\*x\*\</b\> \[a\](b)"
