import { Agent, createAgentCore, tool } from "purestep";
import { z } from "zod";
import { model } from "./model.js";

const refundOrder = tool({
  name: "refund_order",
  description: "Refund an order.",
  parameters: z.object({ number: z.number().int() }),
  approval: "ask",
  execute: ({ number }) => `Order ${number} is refunded.`,
});

export const ready = createAgentCore().then((core) => new Agent(core, { model, tools: [refundOrder] }));
