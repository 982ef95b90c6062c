import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { type DocumentNode, Kind, type ObjectFieldNode, print, visit } from "graphql";
import { type ExecutionResult, NetworkError, createClient } from "graphql-sse";
import {
  RecallDocument,
  type RecallQueryVariables,
  RememberDocument,
  type RememberMutationVariables,
  ThinkDocument,
  type ThinkInput,
  ThoughtAddedDocument,
  type ThoughtAddedSubscriptionVariables,
} from "./generated/graphql.js";

/** The codes of errors; they do not change. */
export type Code =
  | "error" | "invalid_input" | "refused" | "user_needed" | "token_missing" | "rate_limited" | "busy"
  | "not_found" | "conflict" | "chain_broken" | "immutable" | "configuration" | "embedding_failed"
  | "embedding_mismatch" | "database_error" | "database_unreachable" | "database_busy" | "database_refused"
  | "database_too_old" | "schema_too_new" | "algorithms_missing" | "engine_error" | "download_failed"
  | "port_taken" | "engine_not_running" | "starting" | "internal";

/** A name for what the server cannot say: nobody answers. */
export type Unreachable = "unreachable";

type Failure = { message: string; extensions?: Record<string, unknown> | undefined };

/** An error of the server: what happened, what it means for the data, and what to do. */
export class MindError extends Error {
  override readonly name = "MindError";
  readonly code: Code | Unreachable;
  /** Seconds after which a repeated call may succeed. */
  readonly retryAfter: number | undefined;

  /** `errors` are all errors of the answer, of which this is the first; `data` is what succeeded. */
  constructor(
    readonly errors: readonly Failure[],
    readonly data?: unknown,
  ) {
    super(errors[0]?.message);
    const extensions = errors[0]?.extensions ?? {};
    this.code = (extensions["code"] as Code | Unreachable | undefined) ?? "error";
    this.retryAfter = extensions["retryAfter"] as number | undefined;
  }
}

export interface Options {
  /** Address of GraphQL. Default: that of `legacymind serve` on this machine. */
  url?: string | undefined;
  /** Token of `legacymind token create`. It decides the namespace. */
  token?: string | undefined;
  /** Namespace of all calls. Default: that of the token, or of the server. */
  namespace?: string | undefined;
  /** Another `fetch`, for a proxy or a time limit. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** A client of a LegacyMind server. */
export class LegacyMind {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof globalThis.fetch;
  readonly #namespace: string | undefined;

  constructor({ url = "http://127.0.0.1:8787/graphql", token, namespace, fetch = globalThis.fetch }: Options = {}) {
    this.#url = url;
    this.#namespace = namespace;
    this.#headers = token ? { authorization: `Bearer ${token}` } : {};
    this.#fetch = (...request) => fetch(...request);
  }

  /** Store a thought; returns what it recalls. */
  async think(input: ThinkInput, signal?: AbortSignal) {
    return (await this.run(ThinkDocument, { input }, signal)).think!;
  }

  /** What a text brings to mind. Nothing is stored. */
  async recall(variables: RecallQueryVariables, signal?: AbortSignal) {
    return (await this.run(RecallDocument, variables, signal)).recall!;
  }

  /** Store entities, facts and relations. */
  async remember(variables: RememberMutationVariables, signal?: AbortSignal) {
    return (await this.run(RememberDocument, variables, signal)).remember!;
  }

  /** Run a query or a mutation. If a field fails, it throws a `MindError`. */
  async run<Result, Variables>(
    document: TypedDocumentNode<Result, Variables>,
    variables: NoInfer<Variables>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const response = await this.#fetch(this.#url, {
      method: "POST",
      headers: { ...this.#headers, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(this.#request(document, variables)),
      signal: signal ?? null,
    }).catch((cause: unknown) => {
      if (!(cause instanceof TypeError)) throw cause;
      const message = `No server answers at ${this.#url}: start one by \`legacymind serve\`.`;
      throw Object.assign(new MindError([{ message, extensions: { code: "unreachable" } }]), { cause });
    });
    return await answered(response);
  }

  #request(document: DocumentNode, variables: unknown) {
    const given = { ...(variables as Record<string, unknown>) };
    const declared = document.definitions.flatMap((one) => ("variableDefinitions" in one ? (one.variableDefinitions ?? []) : []));
    const unknown = Object.keys(given).filter((name) => !declared.some(({ variable }) => variable.name.value === name));
    // The server ignores them, as GraphQL asks.
    if (unknown.length) throw new MindError([{ message: `The document has no variable ${unknown.join(", ")}.`, extensions: { code: "invalid_input" } }]);
    return { query: print(this.#namespace === undefined ? document : within(document, given, this.#namespace)), variables: given };
  }

  /** Run a subscription until its end, `break` or `signal`. */
  async *subscribe<Result, Variables>(
    document: TypedDocumentNode<Result, Variables>,
    variables: NoInfer<Variables>,
    signal?: AbortSignal,
  ): AsyncGenerator<Result, void> {
    if (signal?.aborted) return;
    const client = createClient({ url: this.#url, headers: this.#headers, fetchFn: this.#fetch, retryAttempts: 0 });
    const stop = () => client.dispose();
    signal?.addEventListener("abort", stop);
    try {
      for await (const event of client.iterate<Result>(this.#request(document, variables))) yield succeeded(event);
    } catch (error) {
      const response = error instanceof NetworkError ? (error.response as Response | undefined) : undefined;
      const refusal = await response?.json().catch(() => null);
      throw refusal?.errors ? new MindError(refusal.errors) : error;
    } finally {
      signal?.removeEventListener("abort", stop);
      stop();
    }
  }

  /**
   * Thoughts as they are stored, from now on or after a cursor. Where the connection was lost, it continues
   * after the last cursor without those that it has sent. The first event of a connection has no thought.
   */
  async *follow({ after, ...variables }: ThoughtAddedSubscriptionVariables = {}, signal?: AbortSignal) {
    const sent = new Set<string>(); // thoughts of the minutes before a cursor come again
    while (!signal?.aborted) {
      let seconds = 1;
      try {
        for await (const event of this.subscribe(ThoughtAddedDocument, { ...variables, after }, signal)) {
          const { cursor, thought } = event.thoughtAdded;
          after = cursor;
          if (thought && sent.has(thought.id)) continue;
          if (thought) sent.add(thought.id);
          if (sent.size > 10_000) sent.delete(sent.values().next().value!);
          yield event.thoughtAdded;
        }
      } catch (error) {
        const { retryAfter } = error instanceof MindError ? error : {};
        const lost = error instanceof NetworkError && (error.response?.status ?? 500) >= 500;
        if (!after || !(lost || retryAfter)) throw error;
        seconds = retryAfter ?? 1;
      }
      if (!signal?.aborted) await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    }
  }
}

const EVERYWHERE = new Set(["node", "nodes", "namespaces", "mayWrite", "detailedHelp", "__typename", "__schema", "__type"]);

/** The document with a namespace in each field that has none, also in the variables that are its input. */
function within(document: DocumentNode, variables: Record<string, unknown>, namespace: string): DocumentNode {
  const name = { kind: Kind.NAME, value: "namespace" } as const;
  const member: ObjectFieldNode = { kind: Kind.OBJECT_FIELD, name, value: { kind: Kind.STRING, value: namespace } };
  return visit(document, {
    FragmentDefinition: () => false,
    Field: {
      enter(field, _key, _parent, path) {
        if (path.length > 5 || EVERYWHERE.has(field.name.value)) return false;
        const all = field.arguments ?? [];
        const input = all.find((each) => each.name.value === "input")?.value;
        if (!input) return all.some((each) => each.name.value === "namespace") ? false : { ...field, arguments: [...all, { kind: Kind.ARGUMENT, name, value: member.value }] };
        if (input.kind === Kind.VARIABLE) variables[input.name.value] = { namespace, ...(variables[input.name.value] as object) };
        else if (input.kind === Kind.OBJECT && !input.fields.some((each) => each.name.value === "namespace"))
          return { ...field, arguments: all.map((each) => (each.name.value === "input" ? { ...each, value: { ...input, fields: [...input.fields, member] } } : each)) };
        return false;
      },
    },
  });
}

function succeeded<Result>({ data, errors }: Pick<ExecutionResult<Result>, "data" | "errors">): Result {
  if (errors?.length || !data) throw new MindError(errors ?? [], data);
  return data;
}

async function answered<Result>(response: Response): Promise<Result> {
  const answer = (await response.json().catch(() => null)) as ExecutionResult<Result> | null;
  if (answer?.data || answer?.errors) return succeeded(answer);
  const message = `The server answered with status ${response.status} and no GraphQL. A write may have been stored: repeat it with the same idempotency key, and look whether the address is that of /graphql.`;
  throw new MindError([{ message }]);
}
