"""Traits of pieces, a class each: ``catalogue`` names their fields as the engine does, ``layout`` reads and
writes them."""
