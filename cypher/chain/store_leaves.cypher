// Stores a part of an anchor's leaves. They need no protection: the anchor's root shows whether they are genuine.
:param namespace => 'default';
:param root => '00';
:param id => randomUUID();
:param number => 0;
:param created_at => datetime();
:param leaves => ['{}'];
CYPHER 25
CREATE (a:Anchor {namespace: $namespace, root: $root, id: $id, number: $number, created_at: $created_at, leaves: $leaves})
RETURN size(a.leaves) AS stored
