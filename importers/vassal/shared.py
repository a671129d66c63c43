"""What the logs of one game share: types taken apart, and what the boards in use call their places."""

from __future__ import annotations

from .module import Module
from .table_forms import FormIndex
from .table_maps import Choices, Layouts


class Shared:
    """Worked out once for all logs that are replayed with it. ``missing_size``: the size of boards whose
    image is not in the module."""

    def __init__(self, module: Module | None, missing_size: tuple[int, int] = (0, 0)) -> None:
        self.module, self.missing_size = module, missing_size
        prototypes = module.prototypes if module is not None else {}
        self.forms = FormIndex(
            {name: one.definition for name, one in prototypes.items()},
            module.own_fields if module is not None else {},
        )
        self._layouts: list[tuple[Choices, Layouts]] = []

    def layouts(self, choices: Choices) -> Layouts:
        """How the boards lie that a game's opening chose."""
        for known, layouts in self._layouts:
            if known == choices:
                return layouts
        layouts = Layouts(self.module, choices, self.missing_size)
        self._layouts.append((choices, layouts))
        return layouts
