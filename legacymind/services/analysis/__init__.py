"""Graph algorithms: communities, influence, similar thoughts, the map."""
