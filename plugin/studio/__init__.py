"""The pack studio: a local web page that edits an audit pack."""
