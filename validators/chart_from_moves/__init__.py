"""Estimates numbers that a movement chart lacks from the moves of a game.

Moves that were made and accepted bound each number from two sides. If a number were dearer, some of them
would be impossible (*hard* evidence: it does not depend on what players wanted). If it were cheaper, players
would have gone to hexes where nobody went (*soft* evidence: it rests on a model of how far units usually go).

1. :mod:`.trips` collects the moves, each with its class and allowance.
2. :mod:`.ground` has the steps of the board by kind, and computes how far a unit gets by a chart.
3. :mod:`.fit` scores how well a chart explains the moves; :mod:`.numbers` searches for the best one.
4. :mod:`.numbers` finds for each number whether it is pinned, is between two values, or is not known.

No move is judged here. A number that was found is a suggestion until a person confirms it.
"""
