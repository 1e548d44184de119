import { tool } from "purestep";
import { z } from "zod";

const orders = new Map([
  [7, "shipped"],
  [8, "lost"],
]);
const parameters = z.object({ number: z.number().int() });

export const tools = [
  tool({
    name: "find_order",
    description: "Look up the status of an order.",
    parameters,
    annotations: { readOnlyHint: true },
    execute: ({ number }) => orders.get(number) ?? "There is no such order.",
  }),
  tool({
    name: "refund_order",
    description: "Refund an order.",
    parameters,
    approval: "ask", // a person says yes or no before this runs
    execute: ({ number }) => {
      orders.set(number, "refunded");
      return `Order ${number} is refunded.`;
    },
  }),
];
