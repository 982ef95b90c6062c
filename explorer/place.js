// The address of a view: #/view/id?name=value. It holds everything that the view shows, so a link can be shared.
// What follows # is not sent to a server, so no log has the words of a search.

export function read(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, ...rest] = path.split("/");
  return {
    view: view || "home",
    id: rest.length ? decoded(rest.join("/")) : null,
    params: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

let namespace = null; // only if it is not the default
let own = null; // the default, as soon as it is known

export function setNamespace(name) {
  namespace = name;
}

export function setOwnNamespace(name) {
  own = name;
}

// The namespace that is shown; null while that is not known.
export function shownNamespace() {
  return namespace ?? own;
}

export function link(view, id = null, params = {}) {
  const kept = Object.entries({ ns: namespace, ...params }).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${id === null ? "" : `/${encodeURIComponent(id)}`}${query ? `?${query}` : ""}`;
}

export function go(view, id, params) {
  location.hash = link(view, id, params);
}

// Replace the address without a new entry in the history, and without drawing the view again.
export function keep(view, id, params) {
  history.replaceState(history.state, "", link(view, id, params));
}
