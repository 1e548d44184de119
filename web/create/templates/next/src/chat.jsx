"use client";
import { use } from "react";
import { Agent, loadCore } from "purestep";
import { openAiModel } from "purestep/openai";
import { AgentChat } from "purestep/react";
import { tools } from "./tools.js";

const model = openAiModel({ baseUrl: "/v1", model: process.env.NEXT_PUBLIC_MODEL });
const ready = loadCore().then((core) => new Agent(core, { model, tools }));

export function Chat() {
  return (
    <AgentChat agent={use(ready)} placeholder="Where is order 8?">
      <h1>Order desk</h1>
    </AgentChat>
  );
}
