// Asks for the latest thoughts, which the first view shows, while the modules of the page load.

import { begin, forget } from "./api.js";
import { read } from "./place.js";

const { view, params } = read();
if (view === "home") begin("latest", { cursor: null, namespace: params.ns ?? null });
addEventListener("hashchange", forget, { once: true }); // a later view asks anew
