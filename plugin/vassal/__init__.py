"""Output for VASSAL: logs with the umpire's remarks, and an extension with the umpire's flags."""
