// part: relatedness(rule)
// How related a memory with a cosine and a text is to the thought: the cosine on the way from zero to threshold, plus the
// share of the thought's words that the text contains. The map {{rule}} is a Relatedness of think/recall_policy.py.
(cosine - {{rule}}.zero) / ({{rule}}.threshold - {{rule}}.zero) + toFloat(size([word IN {{rule}}.words WHERE text CONTAINS word])) / {{rule}}.word_count
