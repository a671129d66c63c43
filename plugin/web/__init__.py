"""The umpire in the browser: one static page that runs this very package in Pyodide."""
