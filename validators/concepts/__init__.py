"""Parts that several rulesets share: charts and their cells, terrain, roads, hex entries, enemies and their
zones of control, and the completions of a mover's missing facts.

They name no game. Rulesets are made of them; the search and the judge do not import them.
"""
