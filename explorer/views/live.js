// Thoughts as they are thought, each with what it brought to mind.

import { items } from "../api.js";
import { follow } from "../arrivals.js";
import { h, show } from "../dom.js";
import { byline, empty, memory, prose, scrolling, ways } from "../parts.js";

function recalled({ edges, pageInfo }) {
  return h(
    "div",
    { class: "recalled" },
    h("h2", {}, edges.length ? "Brought to mind" : "Brought nothing to mind"),
    edges.filter((edge) => edge.node).map((edge) => memory(edge.node, { value: edge.score })),
    pageInfo.hasNextPage && h("p", { class: "soft" }, "and more"),
  );
}

function card(thought) {
  return h("li", { class: "card arrival" }, byline({ ...thought, sessionId: thought.session?.id }), prose(thought.content), recalled(thought.recalls), ways(thought.id));
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
        const { thoughts } = await page.run("latest", { cursor });
        cursor = thoughts.pageInfo.endCursor;
        const fresh = items(thoughts).filter((thought) => !seen.has(thought.id));
        for (const thought of fresh) seen.add(thought.id);
        return { items: fresh, next: thoughts.pageInfo.hasNextPage };
      },
      { draw: card, none: () => empty("No thought yet", "Think one: ", h("code", {}, 'legacymind think "Why did the deploy fail?"')) },
    );
    show(page.body, pulse, parts);
    follow(
      page,
      (thought) => {
        if (seen.has(thought.id)) return;
        seen.add(thought.id);
        page.body.querySelector(".empty")?.remove();
        const element = card(thought);
        element.classList.add("new");
        list.prepend(element);
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
