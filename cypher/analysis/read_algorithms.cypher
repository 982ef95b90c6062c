// Counts the procedures of Graph Data Science: none if the plugin is missing. The one with this name is in every edition.
CYPHER 25
SHOW PROCEDURES YIELD name WHERE name = 'gds.knn.stream'
RETURN count(*) AS procedures
