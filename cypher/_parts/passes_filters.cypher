// part: passes_filters(t)
// The filters of a search as values, so that the statement's text is the same for every combination. A thought
// without a confidence counts as -1, which passes only when no bound is given.
AND all(name IN keys($request.exact) WHERE {{t}}[name] = $request.exact[name])
AND all(tag IN $request.tags WHERE tag IN {{t}}.tags)
AND {{t}}.created_at >= $request.since AND {{t}}.created_at <= $request.until
AND coalesce({{t}}.confidence, -1.0) >= $request.confidence[0] AND coalesce({{t}}.confidence, -1.0) <= $request.confidence[1]
