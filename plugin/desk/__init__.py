"""The tournament desk: games kept in folders, log by log."""
