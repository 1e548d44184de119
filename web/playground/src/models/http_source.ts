/** A model behind an OpenAI-compatible server of the user's; the key stays in memory. */
import { signal } from "@preact/signals";
import { SERVER_KINDS } from "../../../src/generated/server_kinds.js";
import { openAiModel, type ServerName } from "../../../src/models/openai.js";
import type { Source } from "./source.js";

/** A server by its name, or one at an address of the user's. */
export type ChosenServer = ServerName | "own";

interface HttpSettings {
  server: ChosenServer;
  /** Of a server of one's own. */
  base_url: string;
  model: string;
  key: string;
}

export const httpSettings = signal<HttpSettings>({
  server: "own",
  base_url: "http://127.0.0.1:8080/v1",
  model: "",
  key: "",
});

/** What the policy of the page lets it ask without https; see headers.ts. */
const HERE = ["localhost", "127.0.0.1"];

export const isServerName = (name: string): name is ServerName => Object.hasOwn(SERVER_KINDS, name);

/** Gives where the chosen server is. */
export function addressOf({ server, base_url }: HttpSettings): string {
  return server === "own" ? base_url : SERVER_KINDS[server].baseUrl;
}

/** Says why this page may not ask an address, or empty where it may. */
export function addressTrouble(address: string): string {
  const url = URL.canParse(address, location.origin) ? new URL(address, location.origin) : undefined;
  if (url?.protocol !== "http:" || url.origin === location.origin || HERE.includes(url.hostname)) return "";
  return "This page asks other machines by https only. Give an https address, or a server on localhost or 127.0.0.1.";
}

/** Says what may stand in the way of an address that this page may ask, or empty. */
export function addressHint(address: string): string {
  const isMixed = location.protocol === "https:" && address.startsWith("http:");
  if (!isMixed || addressTrouble(address) !== "") return "";
  return "This page came by https. Some browsers, such as Safari, let it ask no http address, not even on this machine.";
}

export const httpSource: Source = {
  id: "http",
  title: "HTTP endpoint",
  summary:
    "Any OpenAI-compatible server that allows requests from this page. Nothing to download; your questions go there.",
  readsFiles: true,
  trouble: async () => "",
  async load() {
    const settings = httpSettings.value;
    const { server, key } = settings;
    const model = settings.model.trim();
    if (model === "") throw new Error("Enter the model's name, as the server knows it.");
    const kind = server === "own" ? undefined : SERVER_KINDS[server];
    if (kind && !kind.isLocal && key.trim() === "") throw new Error(`Enter a key: ${kind.title} wants one.`);
    const trouble = addressTrouble(addressOf(settings));
    if (trouble !== "") throw new Error(trouble);
    const at = server === "own" ? { baseUrl: settings.base_url } : { server };
    return openAiModel({ ...at, model, keyName: "the field Key", ...(key.trim() !== "" && { apiKey: key.trim() }) });
  },
};
