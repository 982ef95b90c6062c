// Lists and calls the tools of each profile with the TypeScript SDK, which validates results; see README.md.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command] = process.argv.slice(2);
const env = { ...process.env, LEGACYMIND_NAMESPACE: "clients" };
for (const profile of ["core", "full", "chatgpt"]) {
  const client = new Client({ name: "check", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: ["mcp", "--profile", profile], env }));
  const { tools } = await client.listTools();
  const call = (name, args) => client.callTool({ name, arguments: args });
  if (profile !== "chatgpt")
    for (const verbose_analysis of [true, false])
      assert(!(await call("legacymind_think", { content: "The kettle is copper", verbose_analysis })).isError);
  const search = profile === "chatgpt" ? "search" : "legacymind_search";
  assert(!(await call(search, { query: "kettle" })).isError);
  const refused = await call(search, { colour: "red" });
  assert.equal(refused.structuredContent.error.code, "invalid_input");
  assert((await client.listResourceTemplates()).resourceTemplates.length);
  console.log(`${profile}: ${tools.length} tools`);
  await client.close();
}
