// part: has_items(t)
// Each list of a thought contains all items that the search requires in it; the items are in lower case.
all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN {{t}}[name] WHERE toLower(toStringOrNull(own)) = item)))
