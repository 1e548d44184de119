/** A model that says what the message asks it to say, in pieces; a page holds it where it wants to look. */
export const held = { release: () => undefined, isHolding: false };
globalThis.held = held;

export const model = {
  name: "script",
  async complete({ messages }, reply, signal) {
    const last = messages.at(-1);
    const content = outputFor(String(last.content), messages);
    for (const piece of content.match(/\s*\S+/g)) {
      reply.text(piece);
      if (held.isHolding)
        await new Promise((resolve) => ((held.release = resolve), signal.addEventListener("abort", resolve)));
      if (signal.aborted) break;
    }
    return { type: "model_output", content };
  },
};

const calls = (...numbers) =>
  JSON.stringify({ kind: "tool_call", tool_name: "refund_order", arguments: { number: numbers[0] } });

function outputFor(said) {
  const number = /Refund order (\d+)/.exec(said);
  if (number) return calls(Number(number[1]));
  return JSON.stringify({ kind: "final", content: `You said: ${said.slice(0, 100)}` });
}
