// part: mass(n, request)
// What the PageRank of a node adds to its rank, if the request weighs it: 0.15 is the mass of a node that nothing leads to.
CASE WHEN {{request}}.mass > 0 AND {{n}}.mass > 0.15 THEN {{request}}.mass * log({{n}}.mass / 0.15) ELSE 0.0 END
