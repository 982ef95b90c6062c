import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "graphql";
import { LegacyMind, MindError, RecallDocument, SessionDocument, ThinkBatchDocument } from "legacymind";

const url = process.env.LEGACYMIND_URL;
const mind = new LegacyMind({ url });

const said = (code, text) => (error) => error instanceof MindError && error.code === code && text.test(error.message);

test("a thought is recalled, and a retry with its key returns it again", async () => {
  const bicycle = { content: "The red bicycle of Grace rattles.", sessionId: "bicycles", author: "Grace", idempotencyKey: "bicycle" };
  const first = await mind.think(bicycle);
  assert.equal((await mind.think(bicycle)).delegatedResult.thoughtId, first.delegatedResult.thoughtId);
  const { memories } = await mind.recall({ content: "Why does the red bicycle of Grace rattle?", injectionScale: 4 });
  assert.deepEqual(memories.map((each) => [each.author, each.text]), [["Grace", bicycle.content]]);
});

test("facts are remembered once", async () => {
  const facts = { entities: [{ name: "Grace" }], observations: [{ entity: "Grace", content: "Grace collects stamps." }] };
  assert.equal((await mind.remember(facts)).created, 2);
  assert.equal((await mind.remember(facts)).created, 0);
});

test("errors have the code of the server, whichever way it refuses", async () => {
  await assert.rejects(mind.think({ content: " " }), said("invalid_input", /content/));
  await assert.rejects(new LegacyMind({ url, token: "lm_unknown" }).recall({ content: "x" }), said("token_missing", /token/));
  await assert.rejects(new LegacyMind({ url, token: "lm_unknown" }).follow().next(), said("token_missing", /token/));
  await assert.rejects(mind.follow({ after: "nowhere" }).next(), said("invalid_input", /DateTime/));
  await assert.rejects(new LegacyMind({ url: new URL("/healthz", url).href }).recall({ content: "x" }), said("error", /status 405/));
  await assert.rejects(new LegacyMind({ url: "http://127.0.0.1:1/graphql" }).recall({ content: "x" }), said("unreachable", /No server answers/));
  await assert.rejects(mind.recall({ content: "x", namespace: "elsewhere" }), said("invalid_input", /no variable namespace/));
  await assert.rejects(mind.run(RecallDocument, { content: "x" }, AbortSignal.abort()), { name: "AbortError" });
});

test("a namespace is that of every call of its client", async () => {
  const other = new LegacyMind({ url, namespace: `elsewhere-${crypto.randomUUID()}` });
  await other.think({ content: "A tram of Lisbon rings.", sessionId: "trams" });
  const asked = { content: "Which tram of Lisbon rings?", injectionScale: 4 };
  assert.deepEqual((await other.recall(asked)).memories.map(({ text }) => text), ["A tram of Lisbon rings."]);
  assert.deepEqual((await mind.recall(asked)).memories, []);
  assert.equal((await other.run(SessionDocument, { id: "trams" })).session.steps, 1);
  assert.equal((await mind.run(SessionDocument, { id: "trams" })).session, null);
  const following = other.follow({ session: "trams" });
  assert.equal((await following.next()).value.thought, null);
  await following.return();
});

test("an error has what the other fields returned", async () => {
  const both = 'query { recall(input: {content: "bicycle"}) { memorySummary } thought(id: "none") { id } session(name: " ") { id } }';
  await assert.rejects(mind.run(parse(both), {}), (error) => error.errors.length === 1 && error.data.recall.memorySummary !== "");
});

test("thoughts are followed across a lost connection, each once, until a signal", async () => {
  const cuts = [];
  const cutting = async (...request) => {
    const response = await fetch(...request);
    const start = (controller) => cuts.push(() => controller.error(new Error("cut")));
    return new Response(response.body.pipeThrough(new TransformStream({ start })), response);
  };
  const stop = new AbortController();
  const events = new LegacyMind({ url, fetch: cutting }).follow({ session: "trains" }, stop.signal);
  const next = async () => (await events.next()).value?.thought?.content ?? null;
  const store = (...texts) => mind.run(ThinkBatchDocument, { sessionId: "trains", thoughts: texts.map((content) => ({ content })) });
  assert.equal(await next(), null);
  await store("one");
  assert.equal(await next(), "one");
  cuts[0]();
  await store("two", "three");
  const later = [await next(), await next(), await next()].filter(Boolean);
  assert.deepEqual(later.slice(0, 2), ["two", "three"]);
  assert.equal(cuts.length, 2);
  if (later.length === 2) await store("four");
  setTimeout(() => stop.abort(), 100);
  for await (const event of events) assert.notEqual(event.thought?.content, "three");
  const { session } = await mind.run(SessionDocument, { id: "trains" });
  assert.equal(session.chain.verdict, "INTACT");
});
