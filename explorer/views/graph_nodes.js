// The nodes and relationships that the graph has so far, in one form for all kinds.

import { bounded } from "../format.js";

const KINDS = { Thought: "thought", Entity: "entity", Observation: "observation" };

// The single links of a thought, and its lists; `true`: the relationship leads to the node that was asked for.
const LINKS = [
  ["follows", "FOLLOWS"],
  ["revises", "REVISES"],
  ["branchesFrom", "BRANCHES_FROM"],
  ["parent", "CHILD_OF"],
  ["supersedes", "SUPERSEDES"],
];
const LISTS = [
  ["followedBy", "FOLLOWS"],
  ["revisions", "REVISES"],
  ["branches", "BRANCHES_FROM"],
  ["children", "CHILD_OF"],
];

const PAGED = ["observations", "relations", "recalls", "walkTrail"];

function shortened(text, length = 34) {
  return text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;
}

function plain(node) {
  const text = node.content ?? node.description ?? node.name ?? node.text ?? "The text was removed.";
  return {
    id: node.id,
    kind: node.kind ? node.kind.toLowerCase() : KINDS[node.__typename],
    label: shortened(node.name ?? text),
    text: node.name && node.description ? `${node.name}: ${node.description}` : (node.name ?? text),
    time: node.createdAt ?? bounded(node.validFrom) ?? node.recordedAt ?? null,
    mass: node.mass,
    author: node.author,
    saidBy: node.saidBy,
    mode: node.mode,
    grown: false,
    lists: {}, // how far each of them is read
  };
}

export class Known {
  nodes = new Map();
  edges = new Map();

  // What is new of an answer, and how to take in a node and a relationship.
  #taking() {
    const fresh = { nodes: [], edges: [] };
    const take = (found) => {
      if (!found) return null;
      if (!this.nodes.has(found.id)) {
        const made = plain(found);
        this.nodes.set(made.id, made);
        fresh.nodes.push(made);
      } else if (found.mass !== undefined) this.nodes.get(found.id).mass ??= found.mass;
      return found.id;
    };
    const join = (source, target, type) => {
      const key = `${source} ${type} ${target}`;
      if (!source || !target || this.edges.has(key)) return;
      const edge = { id: key, source, target, type };
      this.edges.set(key, edge);
      fresh.edges.push(edge);
    };
    return { fresh, take, join };
  }

  // Take in what a memory touched; returns the nodes and edges that are new.
  touched(items) {
    const { fresh, take, join } = this.#taking();
    for (const item of items) take(item);
    for (const { id, reachedFrom, via, way } of items) {
      if (way === "CHANGED") join(reachedFrom, id, via);
      else join(id, reachedFrom, via);
    }
    return fresh;
  }

  // Take in the answer for a node; returns the nodes and edges that are new.
  add({ thought, entity, observation, walkTrail }, id) {
    const { fresh, take, join } = this.#taking();
    const node = thought ?? entity ?? observation;
    if (!node) return fresh;
    take(node);
    for (const [field, type] of LINKS) join(id, take(node[field]), type);
    for (const [field, type] of LISTS) for (const edge of node[field]?.edges ?? []) join(take(edge.node), id, type);
    for (const edge of node.recalls?.edges ?? []) join(id, take(edge.node), "RECALLS");
    for (const edge of node.observations?.edges ?? []) join(take(edge.node), id, "ABOUT");
    for (const edge of [...(node.relations?.edges ?? []), ...(node.related?.edges ?? [])]) {
      const other = take(edge.node);
      if (edge.direction === "OUT") join(id, other, edge.type);
      else join(other, id, edge.type);
    }
    join(id, take(node.entity), "ABOUT");
    join(take(node.supersededBy), id, "SUPERSEDES");
    for (const thought of node.learnedFrom ?? []) join(id, take(thought), "LEARNED_FROM");
    for (const step of walkTrail.steps) join(take(step), id, "RECALLS");
    const grown = this.nodes.get(id);
    grown.grown = true;
    for (const name of PAGED) {
      const page = { ...node, walkTrail }[name];
      if (!page) continue;
      const shown = (grown.lists[name]?.shown ?? 0) + (page.edges ?? page.steps).length;
      const next = page.pageInfo ? page.pageInfo.hasNextPage && page.pageInfo.endCursor : page.next;
      // After its last item, a list has no more.
      grown.lists[name] = { shown, total: page.totalCount, more: Boolean(next), after: next || grown.lists[name]?.after };
    }
    return fresh;
  }
}
