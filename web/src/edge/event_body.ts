/** A response of server-sent events that is written while a run goes on. */

/** Sends an event, as JSON text or what a protocol has beside it. */
export type SendEvent = (text: string) => void;

/** Writes the events; what it throws ends the response, and is for the service's log alone. */
export type WriteEvents = (send: SendEvent) => Promise<void>;

/** Makes the response of a request that goes on after its headers are sent. */
export type StreamEvents = (headers: Record<string, string>, write: WriteEvents) => Response;

/** Well under the minute after which proxies drop a connection that is silent. */
const KEEP_ALIVE_MS = 15_000;

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform", // answers hold transcripts
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

/** Gives the response, and what settles once it is over, with what `write` threw; `left` hears of a client that leaves. */
export function eventResponse(
  headers: Record<string, string>,
  write: WriteEvents,
  left: () => void,
): { response: Response; over: Promise<unknown> } {
  const encoder = new TextEncoder();
  let over!: Promise<unknown>;
  let isOpen = true;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const put = (text: string): void => void (isOpen && controller.enqueue(encoder.encode(text)));
      const alive = setInterval(put, KEEP_ALIVE_MS, ": still here\n\n");
      over = write((text) => put(`data: ${text}\n\n`))
        .catch((thrown: unknown) => thrown ?? new Error("unknown"))
        .finally(() => {
          clearInterval(alive);
          if (isOpen) controller.close();
          isOpen = false;
        });
    },
    cancel() {
      isOpen = false;
      left();
    },
  });
  return { response: new Response(body, { headers: { ...HEADERS, ...headers } }), over };
}
