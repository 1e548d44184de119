/** Agents to try out: they add, read this page, ask before they act, and fail honestly. */
import { call, final, NUMBER } from "./preset.js";
import type { Preset } from "./preset.js";

export const ADDER: Preset = {
  id: "adder",
  title: "Adder",
  summary: "A small model hands the sum to a tool.",
  question: "What is 17 plus 25?",
  definition: {
    name: "adder",
    instructions: "You answer questions about numbers with your tools.",
    tools: [
      {
        name: "add_numbers",
        description: "Add two numbers.",
        parameters: {
          type: "object",
          properties: { a: NUMBER, b: NUMBER },
          required: ["a", "b"],
          additionalProperties: false,
        },
        output_schema: NUMBER,
        annotations: { readOnlyHint: true },
        examples: [{ query: "What is 2 plus 3?", arguments: { a: 2, b: 3 }, result: 5, answer: "The result is 5." }],
      },
      {
        name: "calculator",
        description: "Compute the value of an arithmetic expression.",
        parameters: {
          type: "object",
          properties: { expression: { type: "string", description: "for example (3 + 4) * 2" } },
          required: ["expression"],
          additionalProperties: false,
        },
        output_schema: NUMBER,
        annotations: { readOnlyHint: true },
      },
    ],
    limits: { max_turns: 8 },
    sampling: { temperature: 0, max_tokens: 120 },
  },
  script: [
    "Sure, I can help you with that sum!",
    call("add_numbers", { a: 17, b: 25 }),
    final("The sum of 17 and 25 is 42."),
  ],
};

export const PAGE_READER: Preset = {
  id: "page_reader",
  title: "Page reader",
  summary: "Reads this very page by a CSS selector.",
  question: "What is the headline of this page?",
  definition: {
    name: "page reader",
    instructions: "You answer questions about the page that the user is looking at. Read it before you answer.",
    tools: [
      {
        name: "read_dom",
        description: "Read the text of the page's elements that a CSS selector finds.",
        parameters: {
          type: "object",
          properties: {
            selector: {
              type: "string",
              description: "a part of the page",
              enum: ["#headline", "#model", "#agent", "#core"],
            },
          },
          required: ["selector"],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true },
        examples: [
          {
            query: "What is the title?",
            arguments: { selector: "#headline" },
            result: "A day at sea",
            answer: "The title is: A day at sea.",
          },
        ],
      },
    ],
    limits: { max_turns: 6 },
    checks: ["planning", { use: "obligation", tools: ["read_dom"] }],
    sampling: { temperature: 0, max_tokens: 120 },
  },
  script: [call("read_dom", { selector: "#headline" }), final("The headline of this page is: purestep.")],
};

export const APPROVAL: Preset = {
  id: "approval",
  title: "Approval",
  summary: "Asks you before anything is sent.",
  question: "Send a reminder to Ada that her invoice is due on Friday.",
  definition: {
    name: "clerk",
    instructions: "You send reminders for a small shop.",
    tools: [
      {
        name: "send_reminder",
        description: "Send a reminder to a customer.",
        parameters: {
          type: "object",
          properties: { to: { type: "string" }, text: { type: "string", maxLength: 200 } },
          required: ["to", "text"],
          additionalProperties: false,
        },
        annotations: { destructiveHint: true },
        checks: [{ pattern: "^sent to ", message: "the reminder was not sent" }],
        examples: [
          {
            query: "Remind Tom of the meeting",
            arguments: { to: "Tom", text: "Do not forget the meeting." },
            result: "sent to Tom: Do not forget the meeting.",
            answer: "Tom has been reminded.",
          },
        ],
      },
    ],
    approval: { default: "auto", tools: { send_reminder: "ask" } },
    limits: { max_turns: 6 },
    sampling: { temperature: 0, max_tokens: 120 },
  },
  script: [
    call("send_reminder", { to: "Ada", text: "Your invoice is due on Friday." }),
    final("That is settled as you wished."),
  ],
};

export const HONEST_FAILURE: Preset = {
  id: "honest_failure",
  title: "Honest failure",
  summary: "A result that says nothing is rejected, twice.",
  question: "Which file in this folder is the largest? Run `ls -lS | head -n 1`.",
  definition: {
    name: "file finder",
    instructions: "You answer questions about files with the output of commands.",
    tools: [
      {
        name: "run_command",
        description: "Run a command that only reads, and give what it prints.",
        parameters: {
          type: "object",
          properties: { command: { type: "string" } },
          required: ["command"],
          additionalProperties: false,
        },
        annotations: { readOnlyHint: true },
        checks: ["plausibility"],
      },
    ],
    limits: { max_turns: 6 },
    sampling: { temperature: 0, max_tokens: 120 },
  },
  script: [
    call("run_command", { command: "ls -lS | head -n 1" }),
    call("run_command", { command: "ls -l -S | head -1" }),
    final("The largest file is total 7079928."),
  ],
  results: { run_command: ["total 7079928"] },
};
