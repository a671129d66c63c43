"""Groups of questions of the studio in a real browser: with the keyboard, and with another tab beside it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

from browser.studio_kit import Running, Tab, expect, opened

HOSTILE = "<img src=x onerror=\"document.title='gone'\">"
FOCUSED = "document.activeElement.closest('li').querySelector('b').textContent"
EVERY = {name: [f"{name} {number}" for number in range(8)] for name in ("stop", "side")}


def question(key: str) -> dict[str, Any]:
    """A question as the studio sends it."""
    field = {"path": ["value"], "name": key, "several": False, "words": ["yes", "no"]}
    nothing: dict[str, Any] = {one: [] for one in ("movers", "faces", "others", "look")}
    texts = dict.fromkeys(("hex", "step", "chart"), "")
    asked = {"key": key, "question": f"{key}?", "moves": 1, "alone": 1, "file": "facts.toml"}
    form = {"stanza": "[[condition]]", "table": "condition"}
    return asked | nothing | texts | form | {"fields": [field | {"allowed": "", "only": True}]}


class Questions:
    """Two groups of eight questions; one yes answers all of the first. ``done``: what is answered."""

    def __init__(self, context: Any) -> None:
        self.done: list[str] = []
        context.route("**/api/questions?*", self.asked)
        context.route("**/api/questions/answer", self.answered)

    def left(self) -> list[tuple[str, list[str]]]:
        """The groups with what is open in each."""
        return [
            (name, [one for one in every if one not in self.done])
            for name, every in EVERY.items()
            if name not in self.done
        ]

    def asked(self, route: Any) -> None:
        """Answer a call for questions."""
        told = parse_qs(urlsplit(route.request.url).query)
        stamp, first = f"after {self.done}", int(told.get("from", ["0"])[0])
        if "group" in told:
            _, every = self.left()[int(told["group"][0])]
            body: dict[str, Any] = {"questions": [*map(question, every[first:][:5])]}
        elif told.get("have") == [stamp]:
            body = {"same": True}
        else:
            groups = [
                {
                    "number": number,
                    "key": name,
                    "text": f"{HOSTILE} {name}?",
                    "decides": "decides 1 alone",
                    "chart": "",
                    "whole": question("stop") | {"fields": []} if name == "stop" else None,
                    "all": len(every),
                    "questions": [*map(question, every[:5])],
                }
                for number, (name, every) in enumerate(self.left())
            ]
            body = {"judged": True, "open": 9, "all": len(groups), "cells": 0, "groups": groups}
        route.fulfill(json=body | {"stamp": stamp})

    def answered(self, route: Any) -> None:
        """Answer a question, or refuse it if another tab has done so."""
        key = json.loads(route.request.post_data)["key"]
        if key in self.done:
            return route.fulfill(json={"edits": [], "error": "this question is no longer open"})
        self.done.append(key)
        now = {"key": f"passed through 010{len(self.done)}", "value": "yes"}
        edit = {"kind": "stanza", "file": "facts", "table": "condition", "now": now}
        return route.fulfill(json={"edits": [edit], "error": ""})


def test_a_group_is_answered_one_by_one_with_the_keyboard(context: Any, studio: Running) -> None:
    told = Questions(context)
    tab = Tab(context, studio)
    tab.judged()
    page, root = tab.page, opened(tab, "findings")
    side = root.locator(".questions > ol > li").filter(has_text=f"{HOSTILE} side?")
    items = side.locator("details > ol > li")
    side.locator("summary").filter(has_text="One by one (8)").focus()
    page.keyboard.press("Enter")
    side.get_by_role("button", name="Show more (3 are left)").focus()
    page.keyboard.press("Enter")
    expect(items).to_have_count(8)
    items.nth(6).locator("select").select_option("no")  # chosen, and not sent yet
    items.nth(1).locator("select").focus()
    page.keyboard.type("yes")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(items).to_have_count(7)
    assert told.done == ["side 1"]
    assert page.evaluate(FOCUSED) == "Side 2?"
    expect(items.nth(5).locator("select")).to_have_value("no")
    items.nth(5).locator("select").select_option("")
    expect(side.locator("summary").filter(has_text="One by one (7)")).to_be_visible()
    expect(items).to_have_count(5)  # drawn anew, open as before
    assert tab.complaints == []


def test_one_yes_answers_a_group_and_the_next_has_the_focus(context: Any, studio: Running) -> None:
    told = Questions(context)
    tab = Tab(context, studio)
    tab.judged()
    page, root = tab.page, opened(tab, "findings")
    root.get_by_role("button", name="Yes, write it down").focus()
    page.keyboard.press("Enter")
    root.get_by_role("button", name="Questions (1)").wait_for()
    assert told.done == ["stop"]
    expect(root.locator(".questions > ol > li")).to_have_count(1)
    assert page.evaluate("document.activeElement.textContent") == "One by one (8)"
    assert tab.complaints == []


def test_what_another_tab_answers_is_not_taken_from_under_a_typist(
    context: Any, studio: Running
) -> None:
    told = Questions(context)
    tab = Tab(context, studio)
    tab.judged()
    root = opened(tab, "findings")
    stop = root.locator(".questions > ol > li").first
    stop.locator("summary").filter(has_text="One by one").click()
    field = stop.locator("details > ol select").first
    field.select_option("no")
    told.done += ["stop", *EVERY["stop"]]
    studio.studio.facts.write_text("[[condition]]\nkey = 'weather'\nvalue = 'dry'\n")
    root.get_by_role("button", name="Questions (1)").wait_for()
    stop.get_by_role("button", name="Show more").click()
    tab.until("#said", "The moves were judged again")
    stop.get_by_role("button", name="Answer").first.click()
    stop.locator(".wrong").filter(has_text="this question is no longer open").wait_for()
    field.select_option("")
    expect(root.locator(".questions > ol > li")).to_have_count(1)
    expect(root.locator(".questions")).not_to_contain_text("stop")
