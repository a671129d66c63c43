"""Rulesets and reports: built in, brought by others, broken."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest
from vassal_umpire.model.problem import UmpireError
from vassal_umpire.plugin import registry


def given(monkeypatch: pytest.MonkeyPatch, *points: tuple[str, str]) -> None:
    """Installs entry points, and those alone."""
    found = [EntryPoint(name, value, registry.REPORTS) for name, value in points]
    monkeypatch.setattr(registry, "entry_points", lambda group: found)


def test_the_built_in_ones_need_no_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch)
    assert sorted(registry.reports().parts) == ["csv", "html", "json", "markdown", "text"]
    assert {"generic", "ocs"} <= registry.rulesets().parts.keys()


def test_what_the_installed_metadata_names_is_what_the_checkout_says() -> None:
    """They may be older than a part that was added since: it is found all the same."""
    for group in (registry.REPORTS, registry.RULESETS):
        installed = {point.name: point for point in registry.entry_points(group=group)}
        parts = registry._collect("x", group, "name").parts
        shipped = registry.shipped(group)
        assert {point.name for point in shipped} <= parts.keys()
        for point in shipped:
            if point.name in installed:
                assert installed[point.name].value == point.value
                assert installed[point.name].load() is parts[point.name]


def test_another_package_adds_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, ("brief", "vassal_umpire.plugin.reports.text:REPORT"))
    assert registry.reports().get("brief") is registry.reports().get("text")


@pytest.mark.parametrize(
    "value", ["no_such_package:REPORT", "json:no_such_name", "json:dumps", "antigravity_:x"]
)
def test_a_plugin_that_fails_is_a_problem_and_no_more(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    given(monkeypatch, ("broken", value))
    found = registry.reports()
    assert sorted(found.parts) == ["csv", "html", "json", "markdown", "text"]
    (problem,) = found.problems
    assert problem.where == "report broken"
    assert value in problem.message
    with pytest.raises(
        UmpireError,
        match="there is no report 'broken'; expected one of csv, html, json, markdown, text; ",
    ):
        found.get("broken")


def test_a_plugin_may_not_replace_a_built_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, ("json", "vassal_umpire.plugin.reports.text:REPORT"))
    assert registry.reports().get("json").suffix == ".json"
