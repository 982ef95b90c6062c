// Entities of one type: MATCH (e:Entity {namespace: 'default', entity_type: 'person'}).
CYPHER 25
CREATE RANGE INDEX entity_type IF NOT EXISTS FOR (e:Entity) ON (e.namespace, e.entity_type)
