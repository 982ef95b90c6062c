// Stores a token of `legacymind serve`: what it allows, and the SHA-256 of its text, which is not stored. Tokens are few,
// so they have no index and the schema keeps its version.
:param id => '0a1b2c3d';
:param name => 'ci';
:param namespaces => ['default'];
:param role => 'read';
:param trust => 'agent';
:param digest => '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
:param now => datetime();
CYPHER 25
CREATE (t:AccessToken {id: $id, name: $name, namespaces: $namespaces, role: $role, trust: $trust, digest: $digest, created_at: $now})
RETURN t.id AS id
