"""The mail as a page of its own, that prints on A4 and letter paper."""

from __future__ import annotations

from importlib import resources

from markupsafe import Markup

from ..pages import environment
from ..reports import overdrawn, suspects
from ..seal import in_markup
from .letter import ANSWER, HOW_TO_LOOK, HOW_TO_READ, PLAYED, WHAT_TO_DO, Letter

PAGE = "page/letter.html"


def as_html(letter: Letter) -> str:
    """The mail as one HTML file that needs no other, sealed once it is written."""
    text = resources.files(__package__).joinpath(PAGE).read_text("utf-8")
    template = environment().from_string(text)
    cutouts = [one.cutout for one in letter.offences]
    cutouts += [one.cutout for part in letter.questions for one in part.questions]
    drawn = {one: Markup(one) for one in cutouts}  # noqa: S704  # escaped where it is made
    return in_markup(
        template.render(
            letter=letter,
            drawn=drawn,
            answer=ANSWER,
            how_to_look=HOW_TO_LOOK,
            how_to_read=HOW_TO_READ,
            played=PLAYED,
            suspects=suspects,
            overdrawn=overdrawn,
            todo=WHAT_TO_DO,
        )
    )
