/** Sends the page's requests on to the model with the key; put your own sign-in before it. */
export async function POST(request) {
  const { MODEL_SERVER, MODEL_KEY } = process.env;
  const key = MODEL_KEY ? { authorization: `Bearer ${MODEL_KEY}` } : {};
  const asked = {
    method: "POST",
    headers: { "content-type": "application/json", ...key },
    body: await request.text(),
    signal: request.signal,
  };
  try {
    const { body, status, headers } = await fetch(`${MODEL_SERVER}/v1/chat/completions`, asked);
    return new Response(body, { status, headers: { "content-type": headers.get("content-type") ?? "text/plain" } });
  } catch {
    const message = `no model server answers at ${MODEL_SERVER}: start it, or name another in .env`;
    return Response.json({ error: { message } }, { status: 502 });
  }
}
