"""What the moves of a game say about numbers that its movement chart lacks.

Moves that were made and accepted bound each number from two sides. If a number were dearer, some of them
would be impossible (*hard* evidence: it holds whatever the players wanted). If it were cheaper, players would
have gone where nobody went (*soft* evidence: it rests on a model of how far units usually go).

1. :mod:`.trips` collects the moves, each with its class and allowance.
2. :mod:`.ground` knows the steps of the board by kind, and how far a unit gets by a chart.
3. :mod:`.fit` tells how well a chart explains the moves; :mod:`.numbers` looks for the best one.
4. :mod:`.numbers` says of each number whether it is pinned, lies between two values, or is not known at all.

Nothing here judges a move. A number that was found is a suggestion: it counts once a person has confirmed it.
"""
