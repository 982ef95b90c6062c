// Tags verbatim, case included: no vector index holds a list, so this index narrows a search for tags.
CYPHER 25
CREATE FULLTEXT INDEX thought_tags IF NOT EXISTS FOR (t:Thought) ON EACH [t.tags, t.ns_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: true}}
