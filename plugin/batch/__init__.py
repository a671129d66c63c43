"""``umpire batch``: many games inspected, converted or audited into tables, by one process or by many."""
