// The official clients of Node, as people use them; what they were given is printed as one line of JSON.
import Anthropic, { RateLimitError as AnthropicRateLimit } from "@anthropic-ai/sdk";
import OpenAI, { RateLimitError as OpenAIRateLimit } from "openai";

const root = process.argv[2];
const anthropic = new Anthropic({ apiKey: "of-the-client", baseURL: root });
const openai = new OpenAI({ apiKey: "of-the-client", baseURL: root + "/v1" });
const messages = [{ role: "user", content: "Hello there" }];
const seen = {};

const message = await anthropic.messages.create({
  model: "claude-sonnet-4-5", max_tokens: 100, messages,
});
seen.message = message.content[0].text;
seen.streamedMessage = await anthropic.messages
  .stream({ model: "claude-sonnet-4-5", max_tokens: 100, messages })
  .finalText();
seen.counted = (
  await anthropic.messages.countTokens({ model: "claude-sonnet-4-5", messages })
).input_tokens;

const chat = await openai.chat.completions.create({ model: "gpt-5.4", messages }).withResponse();
seen.chat = chat.data.choices[0].message.content;
seen.attempts = chat.response.headers.get("x-flyball-attempts");
seen.streamedChat = "";
for await (const chunk of await openai.chat.completions.create({
  model: "gpt-5.4", messages, stream: true,
})) {
  seen.streamedChat += chunk.choices[0]?.delta?.content ?? "";
}
const response = await openai.responses.create({ model: "gpt-5.4", input: "Hello there" });
seen.response = response.output_text;
const embedded = await openai.embeddings.create({
  model: "text-embedding-3-small", input: ["Hello there"], encoding_format: "float",
});
seen.embedded = embedded.data.length;

// No time to wait is a refusal at once, if there is anything to wait for.
const refusals = await Promise.all(
  Array.from({ length: 30 }, () =>
    openai.chat.completions
      .create({ model: "gpt-5.4", messages }, { maxRetries: 0, headers: { "x-flyball-max-wait": "0s" } })
      .then(() => "answered", (failed) => (failed instanceof OpenAIRateLimit ? "refused" : String(failed)))),
);
seen.kinds = [...new Set(refusals)].sort();
const anthropicRefusals = await Promise.all(
  Array.from({ length: 30 }, () =>
    anthropic.messages
      .create({ model: "claude-sonnet-4-5", max_tokens: 100, messages },
        { maxRetries: 0, headers: { "x-flyball-max-wait": "0s" } })
      .then(() => "answered", (failed) => (failed instanceof AnthropicRateLimit ? "refused" : String(failed)))),
);
seen.anthropicKinds = [...new Set(anthropicRefusals)].sort();
console.log(JSON.stringify(seen));
