// What a person may change, with a token that may write: each change is a form, and one mutation that stores it.

import { token } from "./api.js";
import { h, show } from "./dom.js";
import { ofInput, words } from "./format.js";
import { menu, problem } from "./parts.js";

const RELATIONS = ["ASSOCIATES", "REFERENCES", "DEPENDS_ON", "CONTRADICTS", "REINFORCES", "SOLVES"];

// The controls of forms, each made for what is changed, and what it is called.
const FIELDS = {
  content: ["Text", (about) => h("textarea", { rows: 5, required: true }, about.text ?? "")],
  author: ["Your name", () => h("input", { autocomplete: "name" })],
  outcome: ["Outcome", () => menu("Outcome", ["success", "partial", "neutral", "failure"].map((name) => [name, name]))],
  targetId: ["Id of the other thought, entity or fact", () => h("input", { required: true, autocomplete: "off" })],
  type: ["Relation", () => menu("Relation", RELATIONS.map((name) => [name, words(name)]))],
  note: ["Why", () => h("input", { autocomplete: "off" })],
  reason: ["Reason, without the words that must go", () => h("input", { required: true, autocomplete: "off" })],
  what: ["What", (about) => menu("What", [[about.id, "All of it"], ...(about.facts ?? [])])],
  source: ["Source", () => h("input", { autocomplete: "off" })],
  validFrom: ["True from, else now", () => h("input", { type: "datetime-local" })],
  validTo: ["True until, to end it", () => h("input", { type: "datetime-local" })],
};

const forgotten = ({ forget }) => (forget.done ? "It is forgotten." : "There was nothing to forget.");

// The changes: of what, and which of these it fits; what it stores or removes; its fields; and what it sends.
const CHANGES = [
  { title: "Add a note", of: ["session", "thought"], fits: (about) => about.session, stores: "A new thought at the end of this session's chain. It recalls nothing.", fields: ["content", "author"], run: "edit_think", begins: "", told: () => "The note is stored.", send: (given, about) => ({ input: { ...given, sessionId: about.session, injectionScale: 0 } }) },
  { title: "Correct", of: ["thought"], stores: "A new thought that revises this one, which stays as it is. Recall shows the revision from now on.", fields: ["content", "author"], run: "edit_think", told: ({ think }) => ["The revision is stored.", ...think.warnings].join(" "), send: (given, about) => ({ input: { ...given, sessionId: about.session, revisesThought: about.id, isPrivate: about.isPrivate, injectionScale: 0 } }) },
  { title: "Outcome", of: ["thought"], stores: "How this thought turned out, which raises or lowers its recall.", fields: ["outcome"], run: "edit_outcome", told: ({ recordOutcome: found }) => `Its weight in recall was ${found.salienceBefore.toFixed(2)} and is ${found.salience.toFixed(2)}.`, send: (given, about) => ({ input: { ...given, thoughtId: about.id, ownSessionId: about.own } }) },
  { title: "Pin", of: ["thought"], fits: (about) => !about.pinned, stores: "That every context begins with this thought.", fields: [], run: "edit_pin", told: () => "It is pinned.", send: (given, about) => ({ id: about.id, pinned: true, own: about.own }) },
  { title: "Unpin", of: ["thought"], fits: (about) => about.pinned, stores: "That contexts no longer begin with this thought.", fields: [], run: "edit_pin", told: () => "It is no longer pinned.", send: (given, about) => ({ id: about.id, pinned: false, own: about.own }) },
  { title: "Relate", of: ["thought"], stores: "A relation from this thought to another node.", fields: ["targetId", "type", "note"], run: "edit_relate", told: ({ relateThought }) => (relateThought.created ? "The relation is stored." : "It was stored before."), send: (given, about) => ({ input: { ...given, thoughtId: about.id, ownSessionId: about.own } }) },
  { title: "Confirm", of: ["thought", "entity"], fits: (about) => about.saidBy.some((said) => !said.endsWith("user")), stores: "That you say so too: it counts as said by you from now on.", fields: ["what"], run: "edit_confirm", told: ({ confirm }) => (confirm.changed ? "It is confirmed." : "It was confirmed before."), send: ({ what }, about) => ({ id: what, own: about.own }) },
  { title: "Redact", of: ["thought"], removes: "The text of this thought, for good. A new step of the chain says so, with the reason.", fields: ["reason", "author"], plan: (page, about) => h("blockquote", {}, about.text), run: "edit_redact", told: ({ redactThought }) => (redactThought.already ? "It was redacted before." : "Its text is removed."), send: (given, about) => ({ ...given, id: about.id, own: about.own }) },
  { title: "Add a fact", of: ["entity"], stores: "A fact about this entity, true from a time on. The same text with an end ends it.", fields: ["content", "validFrom", "validTo", "source"], run: "edit_fact", told: ({ remember }) => `${remember.created ? "The fact is stored." : remember.changed.length ? "Its time is changed." : "It was stored before."}${remember.note ? ` Near to it: ${remember.observations[0].near.map((fact) => fact.content).join("; ")}. ${remember.note}` : ""}`, send: (given, about) => ({ facts: [{ ...given, entity: about.name, entityType: about.type }] }) },
  { title: "Forget", of: ["thought", "entity", "session"], removes: "Texts, for good; the plan says which.", fields: ["what", "reason", "author"], plan, run: "edit_forget", told: forgotten, send: ({ what, ...given }, about) => ({ input: { ...given, ...(about.kind === "session" ? { sessionId: what } : { id: what }), ownSessionId: about.own, confirm: true } }) },
];

// What would be forgotten, and what would stay.
async function plan(page, about, { input }) {
  const { forget } = await page.run("edit_forget", { input: { ...input, confirm: false } });
  return [
    h("h3", {}, "What goes"),
    h("ul", {}, forget.counts.map(({ kind, count, examples }) => h("li", {}, `${words(kind)}: ${count}`, examples.map((text) => h("blockquote", {}, text))))),
    forget.stays.length > 0 && [h("h3", {}, "What stays"), h("ul", {}, forget.stays.map((text) => h("li", {}, text)))],
  ];
}

function values(form, fields) {
  const given = fields.map((name) => [name, form.elements[name].value.trim()]).filter(([, value]) => value);
  return Object.fromEntries(given.map(([name, value]) => [name, name.startsWith("valid") ? ofInput(value) : value]));
}

// What is changed, in a few words: a dialog may be all that one sees of it.
function nameOf({ kind, name, id, text }) {
  const all = name ?? (kind === "session" ? id : `“${text ?? id}”`);
  return `${kind} ${all.length > 60 ? `${all.slice(0, 59)}…” ` : all}`.trim();
}

function ask(page, change, about) {
  const title = `${change.title}: ${nameOf(about)}`;
  let planned = !change.plan;
  const shown = h("div", { class: "planned", role: "status" });
  const button = h("button", { type: "submit", class: change.removes ? "danger" : null }, planned ? change.title : "Show the plan");
  const close = h("button", { class: "quiet", type: "button", onclick: () => dialog.close() }, "Cancel");
  const fields = change.fields.map((name) => {
    const [label, make] = FIELDS[name];
    const control = make(change.begins === undefined ? about : { ...about, text: change.begins });
    control.name = name;
    return h("label", {}, label, control);
  });
  async function submit(event) {
    event.preventDefault();
    const variables = change.send(values(form, change.fields), about);
    if (variables.input) variables.input.namespace = page.params.ns ?? null;
    button.disabled = true;
    try {
      if (planned) {
        show(shown, h("p", {}, "Storing …"));
        const stored = page.run(change.run, variables);
        const changed = () => dispatchEvent(new Event("memorychange"));
        dialog.addEventListener("close", () => stored.then(changed, changed), { once: true }); // also of one that closes before
        show(shown, h("p", {}, change.told(await stored)));
        close.textContent = "Close";
        button.remove();
        return;
      }
      show(shown, await change.plan(page, about, variables));
      planned = true;
      for (const field of fields) field.querySelector("input, select").disabled = true; // the plan is of these
      button.textContent = `${change.title} for good`;
    } catch (error) {
      if (error.name !== "AbortError") show(shown, problem(error));
    }
    button.disabled = false;
  }
  const form = h("form", { onsubmit: submit }, h("h2", {}, title), h("p", { class: "hint" }, change.removes ? "Removes: " : "Stores: ", change.removes ?? change.stores), fields, shown, h("div", { class: "buttons" }, close, button));
  const dialog = h("dialog", { class: "asking", "aria-label": title, onclose: () => dialog.remove() }, form);
  document.body.append(dialog);
  dialog.showModal();
}

let known = {}; // whether the token may write

// The changes of something, which appear only if the token may write. `about` has its kind, id, session and texts; facts are [id, text, whether it ended].
export function edits(page, about) {
  const fit = CHANGES.filter(({ of, fits }) => of.includes(about.kind) && (fits?.(about) ?? true));
  // They have their place before it is known, so that nothing moves then.
  const place = h("div", { class: "ways edits unknown" }, fit.map((change) => h("button", { class: "quiet small", type: "button", onclick: () => ask(page, change, about) }, change.title)));
  if (known.token !== token()) known = { token: token(), writes: page.run("may_write").then(({ mayWrite }) => mayWrite) };
  known.writes.then(
    (writes) => (writes ? place.classList.remove("unknown") : show(place)),
    () => {
      known = {}; // reading goes on without
      show(place);
    },
  );
  return place;
}
