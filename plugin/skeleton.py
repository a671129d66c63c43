"""The files of a new ruleset: a small distribution, which installs as it is."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Template

from ..model.problem import UmpireError

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Names:
    """What a ruleset is called: ``my-game``; its package: ``my_game``; its clauses: ``MG-1``; its title:
    ``My Game``."""

    name: str
    package: str
    prefix: str
    title: str


def names_of(name: str, taken: frozenset[str]) -> Names:
    """The names derived from that of a ruleset. Raises :class:`UmpireError` for an unusable one. ``taken``:
    existing names."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise UmpireError(
            f"{name!r} is not a valid name for a ruleset",
            expected="small letters and digits, such as my-game",
        )
    package = name.replace("-", "_")
    if name in taken:
        raise UmpireError(f"there is a ruleset {name} already", expected="another name")
    if keyword.iskeyword(package):
        raise UmpireError(f"{name} means something in Python", expected="another name")
    words = name.split("-")
    initials = "".join(word[0] for word in words) if len(words) > 1 else words[0][:6]
    prefix = initials.upper() if initials[0].isalpha() else "X"
    return Names(name, package, f"{prefix}-", " ".join(words).title())


def skeleton(names: Names, version: str) -> Mapping[str, str]:
    """The texts of the files, by their path in the distribution. ``version``: of this program."""
    words = {
        "name": names.name,
        "package": names.package,
        "prefix": names.prefix,
        "title": names.title,
        "umpire": version,
    }
    return {
        Template(path).substitute(words): Template(text).substitute(words)
        for path, text in _FILES.items()
    }


_FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools>=69"]
build-backend = "setuptools.build_meta"

[project]
name = "$name"
version = "0.1"
description = "The movement rules of $title for vassal-umpire."
requires-python = ">=3.11"
dependencies = ["vassal-umpire>=$umpire"]

# This line makes the ruleset known to umpire.
[project.entry-points."vassal_umpire.rulesets"]
$name = "$package:RULESET"

[tool.setuptools.packages.find]
include = ["$package*"]

[tool.setuptools.package-data]
"*" = ["*.toml", "*.json", "*.md", "cases/*.toml"]
""",
    "README.md": """\
# $title

The movement rules of $title as a ruleset for vassal-umpire.

    pip install -e .
    umpire rules $name
    umpire check-cases --ruleset $name

| file | what |
|---|---|
| `$package/manifest.toml` | the name of the game, its charts and rules as tables, what is asked for |
| `$package/clauses.toml` | the clauses of its text, in your own words |
| `$package/cases/first.toml` | situations with a known answer: write one for each rule before the rule |
| `$package/__init__.py` | rules that no table can say, as small functions |
| `$package/page.md` | what a pack must supply: `umpire rules $name --format markdown` |

What a rule does not say stays open: nobody is accused on it. The tutorial is
`docs/your-first-ruleset.md` of vassal-umpire.
""",
    "$package/__init__.py": '''\
"""The ruleset ``$name``."""

from vassal_umpire.validators.rulesets.generic import ruleset

RULESET = ruleset(__name__)
''',
    "$package/manifest.toml": """\
# 'umpire schema manifest' tells which keys there are, 'umpire schema $name' those of [rules].
name = "$name"
version = "0.1"
title = "$title"
source = "the rules of $title, edition and section"
prefix = "$prefix"
extends = "generic"

# What is asked for where it is not known; {} is the name of the unit.
[attributes.class]
question = "is {} on foot or on wheels?"

[attributes.ma]
question = "which movement allowance is printed on {}?"

# The phases in which units move, and the forms they move by, as in a pack.
[[phase]]
name = "Movement"
movers = "active"
forms = ["move"]
complete = true

[[form]]
name = "move"

[rules]
# The charts below that hold all there is. What a chart that is not named here leaves out is not known.
# enemy_hex without a table: no enemy's hex may be entered.
complete = ["classes", "allowance", "terrain", "enemy_hex"]
# Of what your game does not have, say so: levels = "none". Until then it is open.
roads = "none"
levels = "none"
surcharges = "none"
hexsides = "none"
steps = "none"
zoc = "none"
stacking = "none"
order = "none"
lacks = "none"

[rules.classes]
attribute = "class"
names = ["foot", "wheels"]

[rules.allowance]
attribute = "ma"

[rules.terrain.costs]
clear = 1
wood = 2
""",
    "$package/clauses.toml": """\
# Every clause of the text. base: the clauses of generic that one stands for ('umpire rules generic').

[${prefix}1]
title = "Movement"
text = "A unit spends no more MPs in a phase than its allowance: 1 for a clear hex, 2 for a wood."
kind = "allowance"
base = ["GEN-ALLOWANCE", "GEN-TERRAIN"]
""",
    "$package/cases/first.toml": '''\
# Situations with a known answer; docs/cases.md of vassal-umpire tells all there is to say in them.
ruleset = "$name"

[legend]
"." = "clear"
w = "wood"

[attributes]
class = "foot"
ma = 3

[[case]]
id = "FIRST-1"
title = "a wood and a clear hex are just as far as it goes"
clauses = ["${prefix}1"]
kind = "worked-example"
board = """
 .   .
   w
"""
units = ["a Red 0101"]
moves = ["a: 0101 0201 0301"]
note = "wood 2 + clear 1 = 3"
expect = { verdict = "legal", cost = 3, allowance = 3 }

[[case]]
id = "FIRST-2"
title = "with an allowance of 2 it does not get there"
clauses = ["${prefix}1"]
kind = "illegal"
board = """
 .   .
   w
"""
units = ["a Red 0101 ma=2"]
moves = ["a: 0101 0201 0301"]
expect = { verdict = "illegal", codes = ["${prefix}1"] }
''',
    "$package/page.md": """\
# The ruleset `$name`

The movement rules of $title.

## What a pack must supply

```toml
[pack]
name = "my-$name"
version = "1.0"
ruleset = "$name"

[board]
[[board.sheet]]
map = "Main Map"

[[units.are]]                          # the counters that have a row in units.csv
listed = true

[units]
side = { property = "Side" }

[units.attributes]
class = { column = "class" }
ma = { column = "ma", number = true }
```
""",
}
