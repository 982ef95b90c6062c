// Remembers removals of other homes, each with its latest time.
:param namespace => 'default';
:param rows => [{id: 'fact-1', removed_at: datetime(), replica: 'replica'}];
CYPHER 25
UNWIND $rows AS row
MERGE (removed:Removed {namespace: $namespace, id: row.id})
ON CREATE SET removed.noted_at = datetime.realtime(), removed.replica = row.replica
SET removed.removed_at = CASE WHEN removed.removed_at > row.removed_at THEN removed.removed_at ELSE row.removed_at END
RETURN count(removed) AS kept
