// part: same_text(a, b)
// Two candidates have equal or nearly equal texts: a cosine of .98, a score of .99. Such texts are about equally near the
// thought, so only few pairs are compared. Each is compared with many, so `text` and `vector` were read once.
abs({{a}}.cosine - {{b}}.cosine) < 0.02 AND ({{a}}.text = {{b}}.text OR vector.similarity.cosine({{a}}.vector, {{b}}.vector) >= 0.99)
