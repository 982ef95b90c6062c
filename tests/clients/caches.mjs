// Writes answers of two namespaces to the normalised caches of Apollo and urql, and reads each again; see README.md.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { InMemoryCache, gql } from "@apollo/client";
import { Client, fetchExchange } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";

const { document, answers } = JSON.parse(readFileSync(0, "utf-8"));
const spaces = Object.keys(answers);

const apollo = new InMemoryCache();
for (const ns of spaces) apollo.writeQuery({ query: gql(document), variables: { ns }, data: answers[ns] });
for (const ns of spaces) assert.deepEqual(apollo.readQuery({ query: gql(document), variables: { ns } }), answers[ns]);
const kept = Object.keys(apollo.extract()).filter((key) => key !== "ROOT_QUERY");

const urql = new Client({
  url: "http://127.0.0.1/graphql",
  preferGetMethod: false,
  exchanges: [cacheExchange({ keys: { PageInfo: () => null, Author: () => null } }), fetchExchange],
  fetch: async (_, { body }) => new Response(JSON.stringify({ data: answers[JSON.parse(body).variables.ns] }), { headers: { "content-type": "application/json" } }),
});
for (const ns of spaces) assert.deepEqual((await urql.query(document, { ns }).toPromise()).data, answers[ns]);
for (const ns of spaces) {
  const { data, error } = await urql.query(document, { ns }, { requestPolicy: "cache-only" }).toPromise();
  assert.equal(error, undefined);
  assert.deepEqual(data, answers[ns]);
}
console.log(JSON.stringify(kept));
