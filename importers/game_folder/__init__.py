"""The folder of a game: ``game.toml`` and the files that it names."""
