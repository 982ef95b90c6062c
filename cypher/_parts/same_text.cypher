// part: same_text(a, b)
// Two candidates have equal or nearly equal texts: a cosine of .98, a score of .99. Such texts are about equally near the
// thought, so only few pairs are compared.
abs({{a}}.cosine - {{b}}.cosine) < 0.02 AND ({{a}}.node.content = {{b}}.node.content OR vector.similarity.cosine({{a}}.node.embedding_a, {{b}}.node.embedding_a) >= 0.99)
