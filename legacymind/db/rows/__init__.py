"""The columns of each statement as TypedDicts, nested maps included, by folder of cypher/."""
