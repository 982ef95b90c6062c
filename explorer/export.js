// Downloads of what a view shows. They are made in the browser, from the same requests.

import { items } from "./api.js";
import { moment, words } from "./format.js";

function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) });
  link.click();
  URL.revokeObjectURL(address);
}

// All items of a list, or so many of them.
async function all(read, most = Infinity) {
  const found = [];
  for (let after = null; found.length < most; ) {
    const page = await read(after);
    found.push(...(page.hits ?? items(page)));
    after = page.hits ? page.next : page.pageInfo.endCursor;
    if (!after) break;
  }
  return found.slice(0, most);
}

// The members of lines of docs/memory/importing.md that lead to other nodes.
const LINKS = { follows: "previous_thought_id", revises: "revises_thought", branchesFrom: "branch_from", parent: "parent_id", action: "action_id" };
const BESIDE = new Set(["stepIndex", "title"]); // not of the format

function line(thought, session) {
  const told = { kind: "thought", id: thought.id, session_id: session };
  for (const [name, value] of Object.entries(thought)) {
    if (value === null || BESIDE.has(name)) continue;
    if (LINKS[name]) told[LINKS[name]] = value.id;
    else told[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = name === "mode" || name === "submode" ? value.toLowerCase() : value;
  }
  return JSON.stringify(told);
}

const FORMATS = {
  "JSON Lines": ["jsonl", "application/jsonl", (session, thoughts) => [JSON.stringify({ kind: "header", format: "legacymind", version: 1, title: session }), ...thoughts.filter(({ content }) => content !== null).map((thought) => line(thought, session))]],
  Markdown: ["md", "text/markdown", (session, thoughts) => [`# ${session}`, ...thoughts.flatMap((thought) => [
    `\n## ${[thought.stepIndex === null ? null : `Step ${thought.stepIndex}`, thought.author, thought.mode && words(thought.mode), moment(thought.createdAt)].filter(Boolean).join(" · ")}\n`,
    ...(thought.content ?? "The text was removed.").split("\n").map((text) => `> ${text}`), // so that no text is a heading
  ])]],
};

export const SESSION_FORMATS = Object.keys(FORMATS);

export async function downloadSession(page, session, format) {
  const [ending, type, write] = FORMATS[format];
  const thoughts = await all(async (after) => (await page.run("session_export", { id: session, after })).session.thoughts);
  save(`${session}.${ending}`, type, `${write(session, thoughts).join("\n")}\n`);
}

// A cell: spreadsheets compute those that begin with one of these signs.
function cell(value) {
  const text = String(value ?? "");
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

const COLUMNS = ["kind", "id", "text", "score", "author", "mode", "thoughtType", "sessionId", "entity", "createdAt", "validFrom", "validTo"];

export async function downloadSearch(page, variables, most) {
  const hits = await all(async (cursor) => (await page.run("search", { ...variables, cursor })).search, most);
  save("search.csv", "text/csv", [COLUMNS, ...hits.map((hit) => COLUMNS.map((name) => hit[name]))].map((row) => row.map(cell).join(",")).join("\r\n"));
}
