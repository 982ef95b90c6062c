// The sessions of a namespace, the latest first, each with its first and its latest thought and the verdict on its chain.

import { items } from "../api.js";
import { h, show } from "../dom.js";
import { ago, number, plural, time } from "../format.js";
import { empty, menu, problem, scrolling, searching, verdictMark } from "../parts.js";
import { go, link } from "../place.js";

const AT_ONCE = 5000; // steps that are verified without being asked for

function card(session) {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card session-card", href: link("session", session.id) },
      h("h2", { class: "latest" }, items(session.begun)[0]?.content ?? "Its first thought has no text."),
      h("p", { class: "soft name" }, session.id),
      session.steps > 1 && h("p", { class: "latest" }, items(session.latest)[0]?.content),
      h("p", { class: "numbers" }, plural(session.steps, "step"), h("span", { "data-session": session.id }, session.verdict && verdictMark(session.verdict)), h("span", {}, time(session.lastThoughtAt, ago))),
    ),
  );
}

function form({ params }) {
  const author = h("input", { list: "authors", value: params.author ?? "", autocomplete: "off" });
  const chains = menu("Chains", [["", "All chains"], ["broken", "Broken ones only"]], params.chains);
  const found = (q) => go("sessions", null, { q, author: author.value.trim(), chains: chains.value });
  return searching("Find a session", { value: params.q, placeholder: "A word of the name, the first or the latest thought …", button: "Find" }, found, h("label", {}, "Author", author), chains);
}

export default {
  about: "Each session is a chain of thoughts that proves its own history.",
  async show(page) {
    const { q, author, chains } = page.params;
    const told = h("p", { class: "report", role: "status" });
    const authors = h("datalist", { id: "authors" });
    const waiting = []; // pages that are not verified
    const size = () => total !== null && h("span", {}, plural(total, "session"));
    let [after, verified, total] = [null, 0, null];

    // The verdicts on the sessions of the page after a cursor, by their ids.
    async function verdicts(from, found) {
      const { sessions } = await page.run("sessions_chain", { after: from, author: author || null, text: q || null });
      verified += found.length;
      return new Map(items(sessions).map(({ id, chain }) => [id, chain?.verdict ?? "UNVERIFIABLE"]));
    }

    async function verify(from, found) {
      const known = await verdicts(from, found);
      for (const place of page.body.querySelectorAll("[data-session]")) if (known.has(place.dataset.session)) show(place, verdictMark(known.get(place.dataset.session)));
    }

    // Verify the pages that are not; if they have many steps, which takes a while, when the reader says so.
    function offer() {
      const sessions = waiting.flatMap(({ found }) => found);
      const steps = sessions.reduce((sum, session) => sum + session.steps, 0);
      const all = async () => {
        show(told, size());
        for (const { from, found } of waiting.splice(0)) await verify(from, found).catch((error) => error.name !== "AbortError" && show(told, problem(error)));
      };
      if (steps <= AT_ONCE) return all();
      return show(told, size(), h("button", { class: "quiet small", type: "button", onclick: all }, `Verify ${plural(sessions.length, "chain")} of ${number(steps)} steps`));
    }

    async function next() {
      const from = after;
      const { sessions } = await page.run("sessions", { after, author: author || null, text: q || null });
      const found = items(sessions);
      after = sessions.pageInfo.endCursor;
      total ??= sessions.totalCount;
      const more = sessions.pageInfo.hasNextPage;
      if (chains !== "broken") {
        waiting.push({ from, found });
        return { items: found, next: more, settle: async () => void offer() };
      }
      const known = await verdicts(from, found);
      show(told, `Verified ${plural(verified, "session")}${total === null ? "" : ` of ${number(total)}`}${more ? " …" : "."}`);
      const broken = found.map((session) => ({ ...session, verdict: known.get(session.id) })).filter((session) => session.verdict !== "INTACT");
      return broken.length || !more ? { items: broken, next: more } : next();
    }

    const list = h("ul", { class: "grid" });
    const none = () =>
      q || author || chains
        ? empty("No such session", chains ? "Nobody changed a chain among them." : "Try other words, or another author.")
        : empty("No session yet", "The first thought begins one: ", h("code", {}, 'legacymind think "…" --session deploys'));
    const { parts, load } = scrolling(list, next, { draw: card, none });
    show(page.body, form(page), authors, told, parts);
    await load();
    page.run("authors").then(
      ({ authors: known }) => show(authors, items(known).map(({ name }) => h("option", { value: name }))),
      () => {}, // a name can be typed without them
    );
  },
};
