// The community of each node of a projection by the Leiden algorithm, in one record. One thread and a fixed seed, so that the same
// graph has the same communities.
:param graph => 'legacymind-sample';
CYPHER 25
CALL gds.leiden.stream($graph, {relationshipWeightProperty: 'weight', randomSeed: 19, concurrency: 1}) YIELD nodeId, communityId
WITH gds.util.asNode(nodeId) AS n, communityId
RETURN collect([n.id, communityId]) AS nodes
