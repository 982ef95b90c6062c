// Thoughts as they are thought, each with what it brought to mind.

import { items } from "../api.js";
import { follow } from "../arrivals.js";
import { h, show } from "../dom.js";
import { byline, empty, memory, prose, scrolling, ways } from "../parts.js";

const TEN = "abcdefghij";

function card(hit) {
  const recalled = h("div", { class: "recalled", "data-of": hit.id });
  return h(
    "li",
    { class: "card arrival" },
    byline({ ...hit }),
    prose(hit.text),
    recalled,
    ways(hit.id),
  );
}

// What up to ten thoughts recalled is one request.
async function fillRecalled(page, hits) {
  if (!hits.length) return;
  const ids = Object.fromEntries([...TEN].map((name, index) => [name, (hits[index] ?? hits[0]).id]));
  const found = await page.run("recalls", ids);
  for (const thought of Object.values(found)) {
    if (!thought) continue;
    const place = page.body.querySelector(`[data-of="${CSS.escape(thought.id)}"]`);
    if (!place) continue;
    const { edges, pageInfo } = thought.recalls;
    show(
      place,
      h("h2", {}, edges.length ? "Brought to mind" : "Brought nothing to mind"),
      edges.filter((edge) => edge.node).map((edge) => memory(edge.node, { value: edge.score })),
      pageInfo.hasNextPage && h("p", { class: "soft" }, "and more"),
    );
  }
}

export default {
  about: "Thoughts as they are thought, each with the memories it brought to mind.",
  async show(page) {
    let cursor = null;
    const seen = new Set(); // a thought may arrive while the first page is read
    const list = h("ol", { class: "cards" });
    const pulse = h("p", { class: "pulse", role: "status" }, "Connecting …");
    const { parts, load } = scrolling(
      list,
      async () => {
        const { search } = await page.run("latest", { cursor });
        cursor = search.pageInfo.endCursor;
        const fresh = items(search).filter((hit) => !seen.has(hit.id));
        for (const hit of fresh) seen.add(hit.id);
        return { items: fresh, next: search.pageInfo.hasNextPage, settle: () => fillRecalled(page, fresh) };
      },
      { draw: card, none: () => empty("No thought yet", "Think one: ", h("code", {}, 'legacymind think "Why did the deploy fail?"')) },
    );
    show(page.body, pulse, parts);
    follow(
      page,
      async (thought) => {
        if (seen.has(thought.id)) return;
        seen.add(thought.id);
        page.body.querySelector(".empty")?.remove();
        const hit = { ...thought, text: thought.content, sessionId: thought.session?.id };
        const element = card(hit);
        element.classList.add("new");
        list.prepend(element);
        await fillRecalled(page, [hit]).catch(() => {});
      },
      (connected) => {
        pulse.classList.toggle("lost", !connected);
        pulse.textContent = connected ? "New thoughts appear here" : "The connection is lost; trying again";
        if (connected && page.body.querySelector(".end .problem")) load(); // the server is back
      },
    );
    await load();
  },
};
