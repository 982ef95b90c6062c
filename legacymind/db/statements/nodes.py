"""The statements of ``cypher/nodes``."""

from legacymind.db.parameters import nodes as nodes_in
from legacymind.db.query import load
from legacymind.db.rows import nodes as nodes_out

read_nodes = load("nodes/read_nodes", nodes_in.OfNodes, nodes_out.NodeOfId, writes=False)
read_linked = load("nodes/read_linked", nodes_in.ReadLinked, nodes_out.ThoughtsOfId, writes=False)
read_recalls = load("nodes/read_recalls", nodes_in.ReadRecalls, nodes_out.RecallsOfId, writes=False)
read_beliefs = load("nodes/read_beliefs", nodes_in.ReadBeliefs, nodes_out.BeliefOfId, writes=False)
read_sessions = load("nodes/read_sessions", nodes_in.OfNodes, nodes_out.SessionOfId, writes=False)
read_session_thoughts = load(
    "nodes/read_session_thoughts", nodes_in.ReadSessionThoughts, nodes_out.ThoughtsOfId, writes=False
)
read_observations = load(
    "nodes/read_observations", nodes_in.ReadObservations, nodes_out.FactsOfId, writes=False
)
read_relations = load("nodes/read_relations", nodes_in.ReadRelations, nodes_out.RelationsOfId, writes=False)
read_chain_thoughts = load(
    "nodes/read_chain_thoughts", nodes_in.ReadSessionThoughts, nodes_out.ThoughtsOfId, writes=False
)
read_action_thoughts = load(
    "nodes/read_action_thoughts", nodes_in.InTime, nodes_out.ThoughtsOfId, writes=False
)
read_actions = load("nodes/read_actions", nodes_in.OfActions, nodes_out.ActionRow, writes=False)
list_actions = load("nodes/list_actions", nodes_in.ListIds, nodes_out.ActionRow, writes=False)
list_sessions = load("nodes/list_sessions", nodes_in.ListIds, nodes_out.NamesRow, writes=False)
list_namespaces = load("nodes/list_namespaces", nodes_in.AfterName, nodes_out.NamesRow, writes=False)
list_chains = load("nodes/list_chains", nodes_in.ListNames, nodes_out.NamesRow, writes=False)
list_authors = load("nodes/list_authors", nodes_in.ListNames, nodes_out.NamesRow, writes=False)
list_tags = load("nodes/list_tags", nodes_in.ListNames, nodes_out.TagRow, writes=False)
read_arrivals = load("nodes/read_arrivals", nodes_in.ReadArrivals, nodes_out.ArrivalsRow, writes=False)
read_facets = load("nodes/read_facets", nodes_in.ReadFacets, nodes_out.FacetsOfId, writes=False)
read_timeline = load("nodes/read_timeline", nodes_in.ReadTimeline, nodes_out.TimelineOfId, writes=False)
