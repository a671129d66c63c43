"""The component tree of a build file: classes, attributes, text; folders looked through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from . import sequence

_FOLDERS = "VASSAL.build.module.folder."
MAPS = ("Map", "PrivateMap", "PlayerHand", "WidgetMap")
"""Kinds of map windows."""

_STRUCTURE = frozenset({"option", "entry", "setup", "item"})
_NAMED_BY = {
    **dict.fromkeys(MAPS, "mapName"),
    "Chart": "chartName",
    "HtmlChart": "chartName",
}


@dataclass(slots=True, eq=False)
class Component:
    """One element: ``cls`` is the full Java class name, ``text`` trimmed as the engine trims it,
    ``raw`` untrimmed.

    ``origin`` is 0 for the module itself, n for the n-th extension. ``engine`` is the engine's class that a
    class of the module's own extends (``guessed``: by its name alone); '': ``cls`` is the engine's, or its
    base is not known. ``members``: what classes of the module's own add to it (``lineage.JavaClass``); None:
    not known. Only the parser, the merging of extensions and ``lineage.settle`` write here.
    """

    cls: str
    attributes: dict[str, str]
    text: str
    raw: str = field(default="", repr=False)
    origin: int = 0
    engine: str = ""
    guessed: bool = False
    members: frozenset[str] | None = None
    parent: Component | None = field(default=None, repr=False)
    elements: list[Component] = field(default_factory=list, repr=False)

    @property
    def short(self) -> str:
        """Class name without package."""
        return self.cls.rpartition(".")[2]

    @property
    def kind(self) -> str:
        """The engine's class, without package, that it is or extends; '': a class of the module's own whose
        base is not known."""
        if self.engine:
            return self.engine.rpartition(".")[2]
        return "" if self.is_custom else self.short

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of the editor's tree; its children belong to the component above."""
        return (self.engine or self.cls).startswith(_FOLDERS)

    @property
    def is_custom(self) -> bool:
        """Whether it is a class of the module's own."""
        own = not self.cls.startswith("VASSAL.") and self.cls not in _STRUCTURE
        return own or bool(self.engine)

    @property
    def configure_name(self) -> str | None:
        """The name that paths use; None: it has none."""
        attribute = _NAMED_BY.get(self.kind)
        keys = (attribute,) if attribute else ("name", "entryName")
        return next((self.attributes[key] for key in keys if key in self.attributes), None)

    def get(self, attribute: str, default: str = "") -> str:
        """An attribute's text."""
        return self.attributes.get(attribute, default)

    def children(self) -> Iterator[Component]:
        """Direct children; a folder's children stand for the folder."""
        for child in self.elements:
            if child.is_folder:
                yield from child.children()
            else:
                yield child

    def of(self, *kinds: str) -> Iterator[Component]:
        """Children of these classes of the engine's (names without package), or that extend them."""
        return (child for child in self.children() if child.kind in kinds)

    def walk(self) -> Iterator[Component]:
        """All components below, depth first in document order, folders left out."""
        stack = [iter(self.elements)]
        while stack:
            for child in stack[-1]:
                if not child.is_folder:
                    yield child
                stack.append(iter(child.elements))
                break
            else:
                stack.pop()

    def path(self) -> tuple[tuple[str, str], ...]:
        """Steps from the root's child down to here: (class without package, configure name)."""
        steps: list[tuple[str, str]] = []
        here: Component | None = self
        while here is not None and here.parent is not None:
            if not here.is_folder:
                steps.append((here.short, here.configure_name or ""))
            here = here.parent
        return tuple(reversed(steps))

    def adopt(self, child: Component) -> None:
        """Add a child at the end."""
        child.parent = self
        self.elements.append(child)


def component_tree(root: etree._Element, origin: int = 0) -> Component:
    """Copy an XML tree (comments and instructions left out). Recursion-free: trees may be deep."""
    top = _component(root, origin)
    todo = [(root, top)]
    while todo:
        element, component = todo.pop()
        for child in element:
            if isinstance(child.tag, str):
                copy = _component(child, origin)
                component.adopt(copy)
                todo.append((child, copy))
    return top


def _component(element: etree._Element, origin: int) -> Component:
    # the engine joins an element's own text nodes, then trims blanks and control characters
    pieces = [element.text or "", *(child.tail or "" for child in element)]
    raw = "".join(pieces)
    attributes = {str(name): str(value) for name, value in element.attrib.items()}
    return Component(str(element.tag), attributes, raw.strip(_TRIMMED), raw, origin)


_TRIMMED = "".join(map(chr, range(33)))


def find_target(root: Component, path: str) -> Component | None:
    """The component an extension's target path names (ComponentPathBuilder.getPath).

    An exact name wins; else the first component of the class serves as the last step, and any of
    that class through which the rest can be found serves before.
    """
    return _find(root, sequence.split(path, "/")) if path else root


def _find(parent: Component, steps: list[str]) -> Component | None:
    if not steps:
        return parent
    tokens = sequence.split(steps[0], ":")
    cls, name = tokens[0], tokens[1] if len(tokens) > 1 else None
    alike = [child for child in parent.children() if child.cls == cls]
    exact = next((child for child in alike if child.configure_name == name), None)
    if exact is not None:
        return _find(exact, steps[1:])
    if len(steps) == 1:
        return alike[0] if alike else None
    found = (_find(child, steps[1:]) for child in alike)
    return next((component for component in found if component is not None), None)
