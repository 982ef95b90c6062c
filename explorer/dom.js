// Elements. Texts of the memory are hostile: they become text nodes here, and markdown.js makes elements of what
// DOMPurify leaves. Nothing else writes HTML.

const SVG = "http://www.w3.org/2000/svg";

// h("a", {class: "id", href: "#/home"}, "text", [more, null]): an element. `on…` are listeners, `--x` style
// properties; null and false leave an attribute or a child out.
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...flat(children));
  return element;
}

function flat(children) {
  const shown = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return shown.map((child) => (typeof child === "string" ? upright(child) : child));
}

// Characters that turn the letters after them around are shown: with U+202E, "exe.png" is what "gnp.exe" looks like.
export function upright(text) {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "�");
}

export function show(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

// Words that say nothing about a text, and so are not marked.
const COMMON = new Set("a an and are as at be but by did do does for from had has have how i if in is it its no not of on or our that the their then there they this to was we were what when where which who why will with you".split(" "));

// The text with the words of a search marked. A longer word also matches the beginning of another one.
export function marked(text, words) {
  const telling = words.filter((word) => word.length > 1 && !COMMON.has(word));
  const wanted = (telling.length ? telling : words).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!wanted.length) return [text];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])((?:${wanted.join("|")})(?:(?<=[\\p{L}\\p{N}]{4})[\\p{L}\\p{N}]*|(?![\\p{L}\\p{N}])))`, "giu");
  return text.split(pattern).map((part, index) => (index % 2 ? h("mark", {}, part) : part));
}

const ICONS = {
  home: "M4 11.500 12 5l8 6.500M6.500 10v9h11v-9",
  sessions: "M5 4v16M5 7h13M5 12h9M5 17h11",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM15.5 15.5 20 20",
  knowledge: "M5 5.5C5 4.7 5.7 4 6.5 4H19v16H6.5A1.5 1.5 0 0 1 5 18.500ZM9 8h6M9 12h6",
  graph: "M6 8.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM18 12a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM9 20.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM8.400 6.500l7.200 2.400M6.600 8.500l1.800 7M16 11.200l-5.200 5",
  compare: "M12 4v16M4 8h5M4 12h5M4 16h5M15 8h5M15 12h5M15 16h5",
  why: "M9.2 9.2a2.900 2.900 0 1 1 4.300 2.600c-1 .6-1.500 1.200-1.500 2.200M12 17.500v.1",
  link: "M10 14a4 4 0 0 0 6 .4l2.600-2.600a4 4 0 0 0-5.700-5.700L11.800 7.200M14 10a4 4 0 0 0-6-.4l-2.600 2.600a4 4 0 0 0 5.700 5.700l1.100-1.100",
  code: "m8 8-4 4 4 4M16 8l4 4-4 4M13.500 5l-3 14",
  theme: "M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8Z",
  key: "M14.500 4a5.500 5.500 0 1 1-4.900 8L4 17.600V20h3v-2h2v-2h1.600l.9-.9M16 8.500v.1",
  broken: "M12 4 3 19h18ZM12 10v4M12 16.500v.1",
  intact: "m5 12.500 4.500 4.500L19 7.500",
};

export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }),
  );
}
