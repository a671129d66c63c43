"""Find where a clause is enforced: the functions that name it, or the tables that cite it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ..validators.rulebook import folder_of, package_of

_TABLES = "manifest.toml"


@dataclass(frozen=True, slots=True)
class Place:
    """``function``: as ``Class.method``; of code outside of functions the name that it defines, empty if
    there is none. ``file``: from the folder of the project or of the distribution."""

    function: str
    file: str
    line: int


def places(module: str, prefix: str, clause: str) -> tuple[Place, ...]:
    """Where the package of ``module`` names ``clause``, with ``prefix`` or without: the functions and classes
    that do, each with the first such line; if only a constant does, the functions that use it; if no code
    does, the lines of its tables. Empty: nothing in the package enforces it."""
    ids = {clause, clause.removeprefix(prefix)}
    words = _words(module)
    named = [place for text, is_string, place in words if is_string and text in ids]
    found = [place for place in named if place.function and not place.function.isupper()]
    if not found:
        constants = {place.function for place in named}
        used = [at for text, is_string, at in words if not is_string and text in constants]
        found = [place for place in used if place.function and not place.function.isupper()]
    by_function: dict[tuple[str, str], Place] = {}
    for place in found or named or _cited(module, ids):
        by_function.setdefault((place.file, place.function or str(place.line)), place)
    return tuple(by_function.values())


@cache
def _words(module: str) -> tuple[tuple[str, bool, Place], ...]:
    """Every string and every name that the code uses: its text, whether it is a string, and where it is."""
    files = sorted(folder_of(module).iterdir(), key=lambda file: file.name)
    return tuple(
        word
        for file in files
        if file.name.endswith(".py")
        for word in _in(ast.parse(file.read_text("utf-8")), _path(module, file.name), "")
    )


def _in(node: ast.AST, file: str, function: str) -> Iterator[tuple[str, bool, Place]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            yield from _in(child, file, f"{function}.{child.name}".lstrip("."))
        elif isinstance(child, ast.Assign) and not function:
            for name, value in _defined(child.targets[0], child.value):
                yield from _in(ast.Expression(value), file, name)
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.value, True, Place(function, file, child.lineno)
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load):
            yield child.id, False, Place(function, file, child.lineno)
        else:
            yield from _in(child, file, function)


def _defined(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Each name that an assignment defines, with its value."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, part in zip(target.elts, value.elts, strict=False):
            yield from _defined(one, part)
    else:
        yield target.id if isinstance(target, ast.Name) else "", value


def _cited(module: str, ids: set[str]) -> list[Place]:
    file = folder_of(module) / _TABLES
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return [
        Place("", _path(module, _TABLES), number)
        for number, line in enumerate(lines, 1)
        if any(f'"{one}"' in line for one in ids)
    ]


def _path(module: str, name: str) -> str:
    return f"{package_of(module).removeprefix('vassal_umpire.').replace('.', '/')}/{name}"
