/**
 * Asks a model outside of a run, as a test reads the outcome: the observation, with the members that every one of
 * its type has. `onText` is told of each piece of text before the core is.
 */
export async function observed({ OutputGate, core }, model, request, onText, signal) {
  const gate = new OutputGate({ core, definition: "null", model: model.name, watcher: {} });
  const sink = {
    get isOver() {
      return gate.isOver;
    },
    text(piece) {
      onText(piece);
      gate.text(piece);
    },
    chunk(json) {
      const text = textOf(json);
      if (text) onText(text);
      gate.chunk(json);
    },
  };
  const observation = await gate.close(await model.complete(request, sink, signal));
  const always = observation.type === "model_error" ? { retryable: false } : { content: null, finish_reason: null };
  return { ...always, ...observation };
}

function textOf(json) {
  try {
    const choice = JSON.parse(json).choices[0];
    return (choice.delta ?? choice.message).content;
  } catch {
    return undefined; // the core says what is wrong with it
  }
}
