// One session: its thoughts on the rail of its chain, as a tree, or over time. A broken step is red.

import { ApiError, needed } from "../api.js";
import { h, icon, show } from "../dom.js";
import { edits } from "../edit.js";
import { downloadSession, SESSION_FORMATS } from "../export.js";
import { clock, day, moment, plural, score, time } from "../format.js";
import { byline, choices, download, loading, problem, prose, related, scrolling, searching, verdictMark, ways } from "../parts.js";
import { go, link } from "../place.js";
import { drawTimeline } from "./session_timeline.js";
import { drawTree } from "./session_tree.js";

// The faults of each thought by its id, and those of steps that no thought has by their number.
export function faultsOf(report) {
  const found = new Map();
  for (const fault of report?.faults ?? []) {
    const key = fault.thoughtId ?? fault.step;
    if (key !== null) found.set(key, [...(found.get(key) ?? []), fault]);
  }
  return found;
}

// The number of a step, which leads to the session from there on.
function number(step, session) {
  if (step === null) return h("span", { class: "number" }, "–");
  return h("a", { class: "number", href: link("session", session, { step }), title: `Link to step ${step}` }, step);
}

function step(thought, faults, session) {
  const own = faults ? (faults.get(thought.id) ?? faults.get(thought.stepIndex) ?? []) : [];
  const state = thought.outsideChain ? "outside" : own.length ? "broken" : faults ? "verified" : "";
  const tags = thought.tags.filter((tag) => tag !== thought.thoughtType);
  const links = [
    ["revises", thought.revises],
    ["branches from", thought.branchesFrom],
    ["follows", thought.follows?.stepIndex === thought.stepIndex - 1 ? null : thought.follows],
  ];
  return h(
    "li",
    { class: `step ${state}` },
    h("div", { class: "rail" }, number(thought.stepIndex, session)),
    h(
      "article",
      { class: "card" },
      byline(thought, { session: false, form: clock }),
      thought.apart && h("p", { class: "soft" }, `On another branch, after step ${thought.stepIndex - 1}`),
      own.map((fault) =>
        h("p", { class: "fault" }, icon("broken"), h("span", {}, fault.fault)),
      ),
      thought.redactedAt && !thought.content ? h("p", { class: "prose absent" }, `Redacted ${moment(thought.redactedAt)}. ${thought.redactedReason ?? ""}`) : prose(thought.content),
      related(thought, session, links),
      tags.length > 0 && h("p", { class: "tags" }, tags.map((tag) => h("span", { class: "tag" }, tag))),
      h(
        "footer",
        {},
        ways(thought.id, { own: thought.isPrivate ? session : null }),
        thought.chainHash && h("code", { title: `Hash of this step: ${thought.chainHash}` }, thought.chainHash.slice(0, 10)),
        thought.outcomeScore !== null && h("span", { class: "score" }, `outcome ${score(thought.outcomeScore)}`),
      ),
    ),
  );
}

// Steps of the chain between two thoughts of the list that no stored thought has.
function gap(previous, next) {
  const from = (previous ?? -1) + 1;
  if (next === null || next <= from) return null;
  const name = next - from === 1 ? `Step ${from} is` : `Steps ${from} to ${next - 1} are`;
  return h("li", { class: "step broken gap" }, h("div", { class: "rail" }), h("p", { class: "fault" }, icon("broken"), `${name} missing.`));
}

function thread(page, verified, branches) {
  const fromStep = page.params.step ? Number(page.params.step) : null;
  let after = null;
  let last = fromStep === null ? null : fromStep - 1;
  let hash = null;
  let faults = null;
  let today = null;
  const list = h("ol", { class: "thread" });
  const drawn = [];
  const { parts, load } = scrolling(
    list,
    async () => {
      if (Number.isNaN(fromStep)) throw new ApiError("The step in the address must be a number.", "invalid_input");
      const { session } = await page.run("session_thoughts", { id: page.id, after, fromStep });
      after = session.thoughts.pageInfo.endCursor;
      return { items: session.thoughts.edges.map((edge) => edge.node), next: session.thoughts.pageInfo.hasNextPage };
    },
    {
      draw: (thought) => {
        const missing = gap(last, thought.outsideChain ? null : thought.stepIndex);
        if (thought.stepIndex !== null && !thought.outsideChain) {
          thought.apart = branches !== null && hash !== null && thought.prevHash !== hash;
          hash = thought.chainHash;
          last = Math.max(last, thought.stepIndex);
        }
        const element = step(thought, faults, page.id);
        drawn.push([thought, element]);
        if (thought.parent) page.body.querySelector(".choices [hidden]")?.removeAttribute("hidden");
        const begun = day(thought.createdAt) !== today;
        today = day(thought.createdAt);
        return [missing, begun && h("li", { class: "today" }, h("h2", {}, today)), element].filter(Boolean);
      },
    },
  );
  verified.then(
    (report) => {
      faults = faultsOf(report);
      for (const item of drawn) {
        const fresh = step(item[0], faults, page.id);
        item[1].replaceWith(fresh);
        item[1] = fresh;
      }
    },
    () => {}, // the report of the session shows the error
  );
  return { parts, load };
}

function verdict(report, id) {
  const first = report.faults[0];
  return [
    verdictMark(report.verdict),
    h("p", {}, report.message),
    first && h("p", {}, toFault(first, id)),
  ];
}

// A fault of a step is found from that step on; one outside of the chain is named by its thought.
function toFault(fault, id) {
  if (fault.step !== null) return h("a", { href: link("session", id, { step: fault.step }) }, "To the first fault");
  return fault.thoughtId && h("a", { href: link("why", fault.thoughtId, { own: id }) }, "To the thought of the first fault");
}

export default {
  async show(page) {
    const session = needed((await page.run("session", { id: page.id })).session);
    const shown = page.params.show ?? "thread";
    const report = h("div", { class: "report" }, h("span", { class: "soft" }, "Verifying the chain …"));
    const body = h("div", {}, loading());
    page.title(session.id, plural(session.steps, "step"), session.branches && ` on ${session.branches} branches`, ", ", time(session.firstThoughtAt), " to ", time(session.lastThoughtAt));
    show(
      page.body,
      report,
      edits(page, { kind: "session", id: session.id, session: session.id }),
      searching("Search in this session", { placeholder: "Search in this session" }, (q) => go("search", null, { q, session: session.id })),
      h(
        "div",
        { class: "switch" },
        h("span", { class: "actions" }, SESSION_FORMATS.map((format) => download(`Download as ${format}`, () => downloadSession(page, session.id, format)))),
        choices(
          "Shown as",
          ["thread", "tree", "timeline"].map((name) => ({
            name: name[0].toUpperCase() + name.slice(1),
            href: link("session", session.id, { show: name === "thread" ? null : name }),
            current: name === shown,
            hidden: name === "tree" && shown !== "tree", // until a thought has a parent
          })),
        ),
      ),
      body,
    );
    const verified = page.run("session_chain", { id: session.id }).then(({ session: { chain } }) => {
      show(report, verdict(chain, session.id));
      report.classList.toggle("bad", chain.verdict !== "INTACT");
      return chain;
    });
    verified.catch((error) => error.name !== "AbortError" && show(report, problem(error)));
    if (shown === "tree") await drawTree(page, body, verified);
    else if (shown === "timeline") await drawTimeline(page, body, session);
    else {
      const { parts, load } = thread(page, verified, session.branches);
      const all = h("a", { href: link("session", session.id) }, "Show all steps");
      show(body, page.params.step && h("p", { class: "soft" }, `From step ${page.params.step} on. `, all), parts);
      await load();
    }
  },
};
