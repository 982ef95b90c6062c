// Texts that are Markdown: Marked reads them, and DOMPurify makes elements of what is harmless. Nothing of another host
// is loaded. Without the libraries, which the server fetches once, texts are shown as they are.

import { h, upright } from "./dom.js";

const MARKED = "/explorer/lib/marked-16.4.1/lib/marked.esm.js";
const PURIFY = "/explorer/lib/dompurify-3.3.3/dist/purify.es.mjs";
const PATIENCE = 500; // ms to wait for them

const MARKS = /(^|["\n]) {0,3}(```|~~~|#{1,6} |[-*+] |\d+[.)] |>|\|)|`[^`\n]+`|\*\*|__|\]\(|https?:\/\//;
const KEPT = {
  ALLOWED_TAGS: "a blockquote br code del em hr li ol p pre strong table tbody td th thead tr ul".split(" "),
  ALLOWED_ATTR: ["href", "start"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

let ready = null; // {marked, purify}
let asked = null;

// HTML in a text is shown as what it is; headings are bold, so that those of the page stay in order; pictures are links.
const renderer = {
  html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  heading({ tokens }) {
    return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>`;
  },
  image({ href, tokens, text }) {
    return this.link({ href, tokens: tokens?.length ? tokens : [{ type: "text", raw: text, text: text || href }] });
  },
};

async function load() {
  const [{ Marked }, { default: purify }] = await Promise.all([import(MARKED), import(PURIFY)]);
  ready = { marked: new Marked({ gfm: true, breaks: true, renderer }), purify };
}

// Load the libraries if an answer needs them, before a view draws it: a text that changes later would move what is below.
export async function prepare(answer) {
  if (ready) return;
  const texts = JSON.stringify(answer, (name, value) => (name === "__typename" ? undefined : value)); // "__" is a mark
  if (!MARKS.test(texts.replaceAll("\\n", "\n"))) return;
  asked ??= load().catch(() => {});
  await Promise.race([asked, new Promise((wake) => setTimeout(wake, PATIENCE))]);
}

// The elements of a text; null if it is no Markdown, or none that can be read.
export function markdown(text) {
  try {
    return ready && MARKS.test(text) ? elements(text) : null;
  } catch {
    return null;
  }
}

function elements(text) {
  const parts = ready.purify.sanitize(ready.marked.parse(upright(text)), KEPT);
  for (const link of parts.querySelectorAll("a")) {
    const { host } = URL.canParse(link.href) ? new URL(link.href) : {};
    const outside = { class: "outside", href: link.href, target: "_blank", rel: "noopener noreferrer nofollow", "data-host": host };
    link.replaceWith(...(host === undefined ? link.childNodes : [h("a", outside, [...link.childNodes])]));
  }
  return parts;
}
