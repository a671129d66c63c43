"""The engine that runs rulesets of plain clauses.

A ruleset declares its facts, its phases and a list of clauses (:mod:`.declared`, :mod:`.clauses`). A clause
is a small pure function with an id. It gets plain answers and never sees "not known": :mod:`.asking` runs it
once for each possible answer. Its results are cached by the answers that it got (:mod:`.memo`).
"""
