// Sets how many thoughts and characters of text a namespace may have; null is no limit, and without any the quota goes.
:param namespace => 'none';
:param thoughts => 1000;
:param text => null;
CYPHER 25
MERGE (q:Quota {namespace: $namespace})
SET q.thoughts = $thoughts, q.text = $text
WITH q WHERE q.thoughts IS NULL AND q.text IS NULL
DELETE q
