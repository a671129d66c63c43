"""What several rulesets have in common, without any game's name: charts and their cells, terrain, roads,
ways across a hexside, enemies and their zones, the completions of what is not known of a mover.

A ruleset composes these; the search and the judge know none of them.
"""
