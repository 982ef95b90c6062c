// Returns which of these ids are stored already: a repeated import embeds only new thoughts.
:param ids => ['thought-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (t:Thought {id: id})
RETURN t.id AS id, t.namespace AS namespace, t.content AS content
