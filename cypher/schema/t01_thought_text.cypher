// Stemmed full text over thoughts. ns_key is a digest of the namespace, for a private thought of the namespace and its
// session; every query requires one, so that no hits of others take places. Eventually consistent: a write costs 1.14
// times a vector-only write instead of 1.59, and is found some 11 ms later. other_forms has what the analyzer does not
// make of the text: words without accents, and parts of identifiers.
CYPHER 25
CREATE FULLTEXT INDEX thought_text IF NOT EXISTS FOR (t:Thought) ON EACH [t.content, t.author, t.other_forms, t.ns_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}
