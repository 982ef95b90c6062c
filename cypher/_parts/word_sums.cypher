// part: word_sums(words)
// In: measured, a list of candidates with found, how far each of the words is found in its text; candidate_count, cosine_mean
// and cosine_sd of all. Out: rows of candidate, words (the weights of the words that it has, added up), cosine_mean and cosine_sd.
// A word weighs its BM25 idf among the candidates. Full text would weigh it by all texts of the database, those of other
// namespaces included.
WITH *, [n IN range(0, size({{words}}) - 1) | log((candidate_count + 1) / (size([m IN measured WHERE m.found[n] = 1.0]) + 0.5))] AS weights
UNWIND measured AS candidate
WITH candidate, cosine_mean, cosine_sd, reduce(sum = 0.0, n IN range(0, size(weights) - 1) | sum + weights[n] * candidate.found[n]) AS words
