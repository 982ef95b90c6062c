// part: wanted(t)
// The steps that record redactions are found only by a search for their type.
({{t}}.redacts IS NULL OR $request.redactions)
