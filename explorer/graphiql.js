// GraphiQL with the examples of graphql/operations/. It asks the address of this page, and sends the explorer's token.

import { authorization, events } from "./api.js";

const root = document.getElementById("graphiql");
const { React, ReactDOM, GraphiQL } = window;

async function missing() {
  const response = await fetch("/explorer/lib/graphiql-2.4.7/graphiql.min.js").catch(() => null);
  const said = response && !response.ok ? (await response.json()).error.message : "GraphiQL could not be loaded.";
  const message = document.createElement("p");
  message.append(`${said} The explorer at / and every other client of GraphQL work without it.`);
  root.replaceChildren(message);
}

function icon() {
  return React.createElement("svg", { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", strokeWidth: 1.6, "aria-hidden": true }, React.createElement("path", { d: "M5 5h14M5 10h14M5 15h9M5 20h9" }));
}

function examples(operations, choose) {
  const rooms = [...new Set(operations.map((one) => one.room))];
  return React.createElement(
    "div",
    { className: "examples" },
    React.createElement("div", { className: "graphiql-doc-explorer-title" }, "Examples"),
    rooms.map((room) =>
      React.createElement(
        "section",
        { key: room },
        React.createElement("h3", null, room),
        operations
          .filter((one) => one.room === room)
          .map((one) => React.createElement("button", { key: one.name, type: "button", title: one.text.split("\n")[0].slice(2), onClick: () => choose(one.text) }, one.name.replaceAll("_", " "))),
      ),
    ),
  );
}

// GraphiQL learns the name of the operation a moment after its text.
function named(given) {
  return given.operationName && !given.query.includes(given.operationName) ? { ...given, operationName: undefined } : given;
}

// Names in small letters, so that a header typed in GraphiQL replaces that of the explorer's token.
function headersOf({ headers = {} }) {
  return { ...authorization(), ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) };
}

// GraphiQL's own fetcher subscribes over WebSockets only, to which a browser cannot send a token as a header.
function subscribes({ query, operationName }) {
  const { getOperationAST, parse } = GraphiQL.GraphQL;
  try {
    return getOperationAST(parse(query), operationName)?.operation === "subscription";
  } catch {
    return false; // the server says what is wrong
  }
}

// The answers to a subscription. GraphiQL ends them by `return`, which closes the connection at once.
function following(request, headers) {
  const ending = new AbortController();
  const answers = events(request, { signal: ending.signal, headers });
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        return await answers.next();
      } catch (error) {
        if (ending.signal.aborted) return { done: true };
        throw error;
      }
    },
    async return() {
      ending.abort();
      return { done: true };
    },
  };
}

async function open() {
  const operations = await (await fetch("/explorer/operations.json")).json();
  const begin = operations.find((one) => one.name === "sessions")?.text;
  const send = GraphiQL.createFetcher({ url: location.pathname });

  function App() {
    const [query, setQuery] = React.useState(new URLSearchParams(location.search).get("q") ?? begin);
    const panel = React.useMemo(() => ({ title: "Examples", icon, content: () => examples(operations, setQuery) }), []);
    const fetcher = (given, options = {}) => {
      const request = named(given);
      const headers = headersOf(options);
      return subscribes(request) ? following(request, headers) : send(request, { ...options, headers });
    };
    return React.createElement(GraphiQL, { fetcher, query, onEditQuery: setQuery, plugins: [panel], visiblePlugin: "Examples", defaultEditorToolsVisibility: "variables", isHeadersEditorEnabled: true, shouldPersistHeaders: false });
  }
  ReactDOM.createRoot(root).render(React.createElement(App));
}

if (React && ReactDOM && GraphiQL) open();
else missing();
