// part: kept(n)
// A node, or the one that it was merged into. A merge leads the nodes that were merged before to the same one.
coalesce([({{n}})-[:MERGED_INTO]->(kept) | kept][0], {{n}})
