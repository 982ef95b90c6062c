// Requests to GraphQL. The documents are the files of queries/, which "Show the query" shows as they are. The server
// sends them together.

const DOCUMENTS = "/explorer/documents.json";

let documents = null;
const TOKEN = "legacymind.token";

export class ApiError extends Error {
  constructor(message, code, details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export function token() {
  return sessionStorage.getItem(TOKEN) ?? "";
}

export function setToken(text) {
  if (text) sessionStorage.setItem(TOKEN, text);
  else sessionStorage.removeItem(TOKEN);
}

// The text of a document: its first lines are comments on what it reads, and by which statements.
export async function documentOf(name) {
  documents ??= get(DOCUMENTS).catch((error) => {
    documents = null;
    throw error;
  });
  const text = (await documents)[name];
  if (text === undefined) throw new ApiError(`The query ${name} is missing from this server.`, "not_found");
  return text;
}

let begun = null; // what `begin` asked, until a view asks for the same

// Run a document before the view that asks for it.
export function begin(name, variables) {
  const answer = run(name, variables);
  begun = { asked: JSON.stringify([name, variables]), answer };
  answer.catch(() => {}); // the view shows the error
}

export function forget() {
  begun = null;
}

// Run a document. Raises ApiError; an answer with errors has no data that a view could rely on.
export async function run(name, variables, { signal } = {}) {
  if (begun?.asked === JSON.stringify([name, variables])) {
    const { answer } = begun;
    forget();
    return answer;
  }
  const query = await documentOf(name);
  const response = await post({ query, variables }, signal);
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new ApiError(`The server answered with status ${response.status}.`, "internal");
  }
  return dataOf(answer);
}

// The results of a subscription. They end when the server ends them, or with an ApiError.
export async function* stream(name, variables, { signal } = {}) {
  for await (const answer of events({ query: await documentOf(name), variables }, { signal })) yield dataOf(answer);
}

// The answers to a subscription, as server-sent events.
export async function* events(request, { signal, headers } = {}) {
  const response = await post(request, signal, { accept: "text/event-stream", ...headers });
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    yield await response.json();
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const received = (text + value.replaceAll("\r", "")).split("\n\n");
    text = received.pop();
    for (const event of received) {
      const fields = event.split("\n");
      if (fields.includes("event: complete")) return;
      const data = fields.filter((field) => field.startsWith("data:")).map((field) => field.slice(5)).join("\n");
      if (data.trim()) yield JSON.parse(data);
    }
  }
}

function dataOf({ data, errors: [error] = [] }) {
  if (error) throw new ApiError(error.message, error.extensions?.code ?? "error", error.extensions);
  if (!data) throw new ApiError("The answer is not one of LegacyMind. Is there a proxy in between?", "internal");
  return data;
}

// What a view was asked for, which must be there.
export function needed(node) {
  if (!node) throw new ApiError("", "not_found");
  return node;
}

// The items of a page.
export function items(connection) {
  return connection.edges.map((edge) => edge.node);
}

async function get(address) {
  const response = await reached(fetch(address));
  if (!response.ok) throw new ApiError(`The server answered with status ${response.status}.`, "internal");
  return response.json();
}

function post(body, signal, headers = { accept: "application/json" }) {
  const all = { "content-type": "application/json", ...authorization(), ...headers };
  return reached(fetch("/graphql", { method: "POST", headers: all, body: JSON.stringify(body), signal }));
}

export function authorization() {
  return token() ? { authorization: `Bearer ${token()}` } : {};
}

async function reached(request) {
  try {
    return await request;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer. Is `legacymind serve` running?", "unreachable");
  }
}
