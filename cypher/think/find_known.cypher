// Which of these ids are stored already: an import that is repeated embeds only what is new.
CYPHER 25
UNWIND $ids AS id
MATCH (t:Thought {id: id})
RETURN t.id AS id, t.namespace AS namespace, t.content AS content
