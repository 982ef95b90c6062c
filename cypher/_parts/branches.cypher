// part: branches(s)
// The number of branches of a session that machines continued apart; null for one that has a single end.
CASE WHEN {{s}}.branches IS :: LIST<STRING NOT NULL> NOT NULL THEN 1 + size({{s}}.branches) END
