"""Parts that several rulesets share: charts and their cells, terrain, roads, requirements, enemies and their
zones of control.

They name no game. Rulesets are made of them; the search and the judge do not import them.
"""
