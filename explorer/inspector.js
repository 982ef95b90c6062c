// "Show the query": the GraphQL documents that a view ran, and the Cypher statements behind them.

import { documentOf } from "./api.js";
import { h, show } from "./dom.js";

// A document names its statements in comments: `# cypher: room/name (parameter=$variable, …)`.
const STATEMENT = /^# cypher: ([\w/]+)(?: \((.*)\))?$/gm;

export function statementsOf(text) {
  return [...text.matchAll(STATEMENT)].map(([, path, given = ""]) => ({
    path,
    given: Object.fromEntries(given.split(", ").filter(Boolean).map((pair) => pair.split("="))),
  }));
}

// A value as Cypher writes it.
export function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "string") return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
  if (value === null || value === undefined) return "null";
  if (typeof value === "object") return `({${Object.entries(value).map(([key, item]) => `${key}: ${literal(item)}`).join(", ")}})`;
  return String(value);
}

// The statement with the values of a request in place of its samples, where the document says which.
export function withValues(statement, given, variables) {
  return statement.replace(/^:param (\w+) => .*$/gm, (line, name) => {
    const source = given[name];
    if (!source) return line;
    const variable = variables[source.replace(/^\[?\$|\]$/g, "")];
    if (variable === undefined || variable === null) return line;
    return `:param ${name} => ${literal(source.startsWith("[") ? [variable] : variable)};`;
  });
}

function block(title, text) {
  const copy = h("button", { class: "quiet small", type: "button" }, "Copy");
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 1500);
  });
  return h(
    "section",
    { class: "source" },
    h("header", {}, h("h3", {}, title), copy),
    h("pre", { tabindex: "0", "aria-label": title }, h("code", {}, text)),
  );
}

async function statement({ path, given }, variables) {
  const response = await fetch(`/explorer/cypher/${path}.cypher`);
  const text = response.ok ? await response.text() : "// This server does not have the statement.";
  return block(`cypher/${path}.cypher`, withValues(text, given, variables));
}

// Open the dialog for requests [{name, variables}], the latest of each document.
export async function inspect(requests) {
  const body = h("div", { class: "sources" });
  const close = h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close");
  const dialog = h(
    "dialog",
    { class: "inspector", "aria-label": "The query", onclose: () => dialog.remove() },
    h("header", {}, h("h2", {}, "The query"), close),
    h("p", { class: "hint" }, "What this view asked for, in GraphQL, and the statements that answer it. Each statement can be pasted into Neo4j Browser."),
    body,
  );
  document.body.append(dialog);
  dialog.showModal();
  const latest = [...new Map(requests.map((request) => [request.name, request])).values()];
  const parts = await Promise.all(
    latest.map(async ({ name, variables }) => {
      const text = await documentOf(name);
      return [
        block(`GraphQL: ${name}`, text.replace(/^# cypher: .*\n/gm, "").trim()),
        block("Variables", JSON.stringify(variables, null, 2)),
        await Promise.all(statementsOf(text).map((one) => statement(one, variables))),
      ];
    }),
  );
  show(body, parts);
}
