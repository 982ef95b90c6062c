// part: has_items(t)
// Each list of a thought contains all items that the search requires in it.
all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE item IN {{t}}[name]))
