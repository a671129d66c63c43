"""What a user does in a page, each action counted."""

from __future__ import annotations

from typing import Any


class Hand:
    """One action is a click, a field typed with Enter, a choice from a list, a drag, a key held, or a list
    scrolled."""

    def __init__(self, page: Any) -> None:
        self.page, self.actions = page, 0

    def click(self, element: Any) -> None:
        element.click()
        self.actions += 1

    def press(self, name: str) -> None:
        """Click the button of this name."""
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def type(self, element: Any, text: str) -> None:
        element.fill(text)
        element.press("Enter")
        self.actions += 1

    def choose(self, element: Any, option: str) -> None:
        element.select_option(option)
        self.actions += 1

    def drag(self, *elements: Any) -> None:
        """Press the mouse on the first, draw over all others, let go."""
        for element in (elements[-1], elements[0]):
            element.evaluate(
                "one => one.scrollIntoView({ block: 'nearest' })"
            )  # also if it is drawn anew
        for number, element in enumerate(elements):
            box = None
            while box is None:  # what is drawn anew meanwhile has none for a moment
                element.wait_for()
                box = element.bounding_box()
            at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.mouse.move(*at, steps=1 if number == 0 else 12)
            if number == 0:
                self.page.mouse.down()
        self.page.mouse.up()
        self.actions += 1

    def hold(self, key: str) -> None:
        for _ in range(3):  # a key that is held is told again and again
            self.page.keyboard.down(key)
        self.page.keyboard.up(key)
        self.actions += 1

    def scroll(self, element: Any) -> None:
        """Scroll a list from its beginning to its end."""
        element.hover()
        for _ in range(20):
            self.page.mouse.wheel(0, 250)
            self.page.wait_for_timeout(20)
        self.actions += 1
