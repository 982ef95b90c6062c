// Tags as they are, case and all: no vector index holds a list, so a search for tags is narrowed here.
CYPHER 25
CREATE FULLTEXT INDEX thought_tags IF NOT EXISTS FOR (t:Thought) ON EACH [t.tags, t.ns_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword', `fulltext.eventually_consistent`: true}}
