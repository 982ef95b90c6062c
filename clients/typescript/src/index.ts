export { type Code, LegacyMind, MindError, type Options } from "./client.js";
export * from "./generated/graphql.js";
