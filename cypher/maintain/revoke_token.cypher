// Deletes a token of `legacymind serve`; servers refuse it when they read the tokens again, within seconds.
:param id => '0a1b2c3d';
CYPHER 25
MATCH (t:AccessToken {id: $id})
WITH t, t.id AS id
DELETE t
RETURN id
