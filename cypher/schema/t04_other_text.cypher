// Words of texts that no search reads, but that forgetting must find. Most nodes have none of them, so it is small.
CYPHER 25
CREATE FULLTEXT INDEX other_text IF NOT EXISTS
FOR (n:Thought|Entity|Observation) ON EACH [n.hypothesis, n.source, n.data, n.merged_by, n.merged_reason]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words', `fulltext.eventually_consistent`: true}}
