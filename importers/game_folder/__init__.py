"""A game kept in a folder, log by log: ``game.toml`` and the files it names."""
