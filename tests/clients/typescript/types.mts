// What must compile, and what must not.
import { LegacyMind, SearchDocument, ThoughtAddedDocument } from "legacymind";

const mind = new LegacyMind({ token: undefined });
const found = await mind.run(SearchDocument, { query: "pan", limit: 5 });
const texts: string[] = found.search!.hits.map((hit) => hit.text);
for await (const { thoughtAdded } of mind.subscribe(ThoughtAddedDocument, {})) texts.push(thoughtAdded.cursor);
// @ts-expect-error: the query is missing
await mind.run(SearchDocument, {});
// @ts-expect-error: there is no such field
found.search!.hits[0]!.colour;
