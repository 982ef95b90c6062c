"""Pure functions over text: embedder text, Lucene queries, keys, modes, error signatures, frameworks."""
