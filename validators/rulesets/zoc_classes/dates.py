"""Dates as facts write them, before and after a day."""

from __future__ import annotations

import re

from ....model.fact import Fact

_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}", re.ASCII)


def is_before(date: str, day: str) -> bool:
    """Whether a date (``1941``, ``1941-08`` or ``1941-08-31``) is certainly before a day."""
    return bool(_DATE.fullmatch(date)) and date + "-12-31"[3 * date.count("-") :] < day


def is_not_before(date: str, day: str) -> bool:
    """Whether a date is certainly not before a day."""
    return bool(_DATE.fullmatch(date)) and date + "-01-01"[3 * date.count("-") :] >= day


def before_day(date: Fact, day: str) -> bool:
    """Whether what is known of a date is certainly before a day."""
    return date.options is not None and all(is_before(str(one), day) for one in date.options)


def after_day(date: Fact, day: str) -> bool:
    """Whether what is known of a date is certainly on a day or after it."""
    return date.options is not None and all(is_not_before(str(one), day) for one in date.options)
