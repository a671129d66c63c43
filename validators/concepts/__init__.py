"""What several rulesets share: charts and their cells, terrain, roads, hex entries, enemies and their zones
of control, and the completions of what is not known about a mover.

No game is named here. A ruleset composes these parts; the search and the judge import none of them.
"""
