// A fake model that repeats what it is sent.
import * as fakes from "ai/test";

const repeating = async ({ prompt }) => ({
  content: [{ type: "text", text: JSON.stringify(prompt) }],
  finishReason: { unified: "stop" },
  usage: { inputTokens: {}, outputTokens: {} },
  warnings: [],
});

export const model = new (fakes.MockLanguageModelV4 ?? fakes.MockLanguageModelV3)({ doGenerate: repeating });
