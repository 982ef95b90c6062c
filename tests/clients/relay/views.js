import { graphql } from "relay-runtime";

export const thoughts = graphql`
  fragment views_thoughts on Session
  @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
    id
    thoughts(first: $count, after: $cursor) @connection(key: "views_thoughts") {
      edges { node { id content recalls(first: 3) { edges { score node { id ...views_memory } } } } }
    }
  }
`;

export const memory = graphql`
  fragment views_memory on Node {
    __typename
    namespace
    ... on Thought { content }
    ... on Observation { content entity { id name } }
  }
`;

export const hits = graphql`
  fragment views_hits on Query
  @refetchable(queryName: "viewsHitsQuery")
  @argumentDefinitions(input: { type: "SearchInput" }) {
    search(input: $input) {
      hits { id text score }
      next
    }
  }
`;

export const session = graphql`
  query viewsSessionQuery($name: ID!, $namespace: String) {
    session(name: $name, namespace: $namespace) { id ...views_thoughts }
    ...views_hits
  }
`;

export const added = graphql`
  subscription viewsAddedSubscription($name: ID) {
    thoughtAdded(sessionId: $name) { cursor thought { id content } }
  }
`;
