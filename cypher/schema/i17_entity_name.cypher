// Entities by the name that people write: MATCH (e:Entity {namespace: 'default', name: 'Ada'}). entity_key has folded names.
CYPHER 25
CREATE RANGE INDEX entity_name IF NOT EXISTS FOR (e:Entity) ON (e.namespace, e.name)
