// part: passes_filters(t)
// The filters of a search as values by property, so that the statement's text is the same for every combination. A
// thought without a property passes no bound of it.
AND all(name IN keys($request.exact) WHERE {{t}}[name] = $request.exact[name])
AND all(name IN keys($request.least) WHERE {{t}}[name] >= $request.least[name])
AND all(name IN keys($request.most) WHERE {{t}}[name] <= $request.most[name])
AND x  // part: is_about({{t}})
AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN {{t}}[name] WHERE toLower(toStringOrNull(own)) = item)))
