/** Shows the chat of docs/serve.md, which the test writes to chat.tsx, or with `keeps` that of docs/edge.md. */
import { createRoot } from "react-dom/client";
import { Chat } from "./chat.tsx";
import { KeptChat } from "./kept_chat.tsx";

const { service = "", token = "", chat = "", keeps } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const root = createRoot(document.getElementById("root")!);

async function earlier() {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${service}/ai-sdk/${chat}/messages`, { headers })).json();
}

if (keeps) root.render(<KeptChat service={service} token={token} id={chat} />);
else root.render(<Chat service={service} token={token} id={chat} messages={await earlier()} />);
