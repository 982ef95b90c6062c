// part: page_of(hits, skip, after)
// The hits of a page, of a list with all hits up to its end. It begins after the hit of the id with which the page before
// ended, if that has moved by at most $slack places, else after $skip hits.
[begin IN [coalesce([i IN range({{skip}} - 1 - $slack, {{skip}} - 1 + $slack) WHERE i >= 0 AND {{hits}}[i].node.id = {{after}} | i + 1][0], {{skip}})] | {{hits}}[begin..begin + $page]][0]
