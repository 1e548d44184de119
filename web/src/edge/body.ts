/** Reads a request's body within limits on bytes and time; checks its content type and that it is UTF-8. */
import { PurestepError } from "../errors.js";
import { overError } from "./request_end.js";

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Gives the body as text, including a byte order mark. Throws PurestepError for an invalid one. */
export async function bodyText(request: Request, maxBytes: number, signal: AbortSignal): Promise<string> {
  const type = request.headers.get("content-type");
  if (type !== null && !JSON_TYPE.test(type)) {
    throw new PurestepError(
      "unsupported_content_type",
      `expected the header content-type: application/json; got ${JSON.stringify(type.slice(0, 60))}`,
    );
  }
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return decoded(await bodyBytes(request, maxBytes, signal));
}

async function bodyBytes(request: Request, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (!reader) return new Uint8Array();
  const over = ended(signal);
  try {
    for (
      let next = await Promise.race([reader.read(), over]);
      !next.done;
      next = await Promise.race([reader.read(), over])
    ) {
      length += next.value.byteLength;
      if (length > maxBytes) throw tooLarge(maxBytes);
      chunks.push(next.value);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined); // the rest is not needed
    throw error instanceof PurestepError ? error : new PurestepError("client_gone", "the body ended early");
  }
  return joined(chunks, length);
}

/** Rejects once the signal is aborted, and never settles otherwise. */
async function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const say = (): void => reject(overBefore(signal));
    if (signal.aborted) say();
    signal.addEventListener("abort", say, { once: true });
  });
}

function overBefore(signal: AbortSignal): PurestepError {
  const { code, message } = overError(signal, "its body had not come");
  return new PurestepError(code === "time_limit" ? "slow_body" : code, message);
}

function joined(chunks: Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new PurestepError("invalid_utf8", "expected a body in UTF-8; some of its bytes are not");
  }
}

function tooLarge(maxBytes: number): PurestepError {
  return new PurestepError("body_too_large", `expected a body of at most ${maxBytes} bytes; send less at once`);
}
