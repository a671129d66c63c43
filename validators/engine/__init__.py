"""The engine that rulesets of plain clauses run on.

A ruleset declares its facts, its phases and a list of clauses (:mod:`.declared`, :mod:`.clauses`). A clause
is a small pure function with its id. It gets plain answers and never sees "not known": :mod:`.asking` runs it
once for each possible answer. What it says is kept under the answers that it was given (:mod:`.memo`).
"""
