"""All benchmarks: ``python benchmarks/run.py``. Ratios and growth, never bare times: machines differ."""

from __future__ import annotations

import growth
import judging
import reading
import rulesets


def main() -> None:
    reading.main()
    growth.main()
    judging.main()
    rulesets.main([])


if __name__ == "__main__":
    main()
