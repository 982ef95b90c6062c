// part: lacking(n)
// A node with a text and without a vector that does not wait for one either. Redactions (redacts), redacted thoughts, stubs
// of merged nodes and nodes made by hand (without ns_key) need none.
{{n}}.embedding_a IS NULL AND {{n}}.ns_key IS NOT NULL AND {{n}}.redacts IS NULL AND {{n}}.redacted_at IS NULL AND NOT coalesce({{n}}.embedding_deferred IN [true, 'embedding_a'], false)
