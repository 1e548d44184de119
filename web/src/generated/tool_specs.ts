// Made from hosts/purestep_hosts/tools by tools/web_tool_data.py; do not edit.
import type { ToolSpec } from "./wire.js";

/** The specs of the tools that native hosts and pages share, by name. */
export const TOOL_SPECS = {
  add_numbers: {
    name: "add_numbers",
    description: "Add two numbers.",
    parameters: {
      type: "object",
      properties: {
        a: { type: "number", description: "the first number" },
        b: { type: "number", description: "the second number" },
      },
      required: ["a", "b"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    approval: "auto",
    max_output_chars: 4000,
    examples: [{ query: "What is 2 plus 3?", arguments: { a: 2, b: 3 }, result: 5, answer: "The result is 5." }],
    output_schema: { type: "number" },
  },
  calculator: {
    name: "calculator",
    description: "Compute the value of an arithmetic expression.",
    parameters: {
      type: "object",
      properties: { expression: { type: "string", description: "for example (3 + 4) * 2" } },
      required: ["expression"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    approval: "auto",
    max_output_chars: 4000,
    examples: [
      { query: "What is 12 times 7?", arguments: { expression: "12 * 7" }, result: 84, answer: "The result is 84." },
    ],
    output_schema: { type: "number" },
  },
  echo: {
    name: "echo",
    description: "Repeat a text.",
    parameters: {
      type: "object",
      properties: { text: { type: "string", description: "the text to repeat" } },
      required: ["text"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    approval: "auto",
    max_output_chars: 4000,
    examples: [
      {
        query: "Echo the text green apple",
        arguments: { text: "green apple" },
        result: "green apple",
        answer: "green apple",
      },
    ],
  },
  fetch_url: {
    name: "fetch_url",
    description: "Get the text of a web page.",
    parameters: {
      type: "object",
      properties: { url: { type: "string", description: "the address, starting with http:// or https://" } },
      required: ["url"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    approval: "auto",
    max_output_chars: 4000,
    examples: [
      {
        query: "Fetch https://example.com",
        arguments: { url: "https://example.com" },
        result: "Example Domain\nThis domain is for use in examples.",
        answer: "The page says that the domain is for use in examples.",
      },
    ],
  },
  session_note_append: {
    name: "session_note_append",
    description: "Write down a note to remember it.",
    parameters: {
      type: "object",
      properties: { note: { type: "string", description: "the note" } },
      required: ["note"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    approval: "auto",
    max_output_chars: 4000,
    examples: [
      {
        query: "Write down a note: the keys are in the drawer",
        arguments: { note: "the keys are in the drawer" },
        result: "noted: the keys are in the drawer",
        answer: "I noted: the keys are in the drawer",
      },
    ],
  },
  session_note_search: {
    name: "session_note_search",
    description: "Find the notes that contain some words.",
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "the words to look for" } },
      required: ["query"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    approval: "auto",
    max_output_chars: 4000,
    examples: [
      {
        query: "Search my notes for keys",
        arguments: { query: "keys" },
        result: "the keys are in the drawer",
        answer: "Your note says: the keys are in the drawer",
      },
    ],
  },
} satisfies Record<string, ToolSpec>;
