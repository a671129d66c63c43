"""Cells of a board looked at on the map's picture: by a program that suggests, and by people who vouch."""
