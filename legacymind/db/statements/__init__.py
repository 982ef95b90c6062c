"""One typed constant for each Cypher file, by folder of cypher/."""
