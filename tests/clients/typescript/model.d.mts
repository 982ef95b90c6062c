import type { wrapLanguageModel } from "ai";

export declare const model: Parameters<typeof wrapLanguageModel>[0]["model"];
