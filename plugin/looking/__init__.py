"""Connects packs with the pictures of their maps: suggestions, and what people decide."""
