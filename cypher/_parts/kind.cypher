// part: kind(n)
// 'thought', 'entity' or 'observation'.
toLower([label IN labels({{n}}) WHERE label IN ['Thought', 'Entity', 'Observation']][0])
