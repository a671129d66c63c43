"""What goes back into VASSAL: logs with the umpire's remarks, and an extension with his flags."""
