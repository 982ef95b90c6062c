"""Pure functions over text: modes, error signatures, query analysis, frameworks."""
