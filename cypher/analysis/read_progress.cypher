// Reads how far an algorithm is, in per cent of the most that it may take; algorithms that converge end earlier. No row before
// it begins and after its end. The algorithm has the name of its projection.
:param graph => 'legacymind-sample';
CYPHER 25
CALL gds.listProgress() YIELD jobId, progress
WITH progress WHERE jobId = $graph
RETURN toFloatOrNull(replace(progress, '%', '')) AS percent
