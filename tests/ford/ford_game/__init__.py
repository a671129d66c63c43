"""The ruleset ``ford-game``: a made-up game, in another distribution than the program."""

from vassal_umpire.validators.rulesets.generic import OwnStep, cost, forbid, must_stop, ruleset


@cost("FORD-8", "guns in a wood")
def guns(step: OwnStep) -> int:
    """Guns pay besides what the chart of guns says."""
    if step.unit("guns") != "yes":
        return 0
    chart = step.table("guns")
    return max((due for terrain, due in chart.items() if step.into.has(terrain)), default=0)


@forbid("FORD-9", "fords the river under the eyes of an enemy")
def watched_ford(step: OwnStep) -> bool:
    """Nobody fords next to an enemy, but in wet weather."""
    if not step.crosses("ford") or step.condition("weather") == "wet":
        return False
    return step.into.next_to_enemy()


@must_stop("FORD-10", "goes on after it met a friend on the road")
def greeting(step: OwnStep) -> bool:
    """Whoever enters a village in which friends are stays for the night."""
    return step.into.has("village") and step.into.friends()


RULESET = ruleset(__name__, clauses=[guns, watched_ford, greeting])
