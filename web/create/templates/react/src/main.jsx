import { Suspense, use } from "react";
import { createRoot } from "react-dom/client";
import { Agent, loadCore } from "purestep";
import { AgentChat } from "purestep/react";
import "purestep/react/styles.css";
import { model } from "./model.js";
import { tools } from "./tools.js";

const ready = loadCore().then((core) => new Agent(core, { model, tools }));

const Chat = () => (
  <AgentChat agent={use(ready)} placeholder="Where is order 8?">
    <h1>Order desk</h1>
  </AgentChat>
);

createRoot(document.getElementById("app")).render(
  <Suspense fallback="Loading">
    <Chat />
  </Suspense>,
);
