/** The worker in which WebLLM's engine runs, so that the page stays responsive. */
import { WebWorkerMLCEngineHandler } from "@mlc-ai/web-llm";

const handler = new WebWorkerMLCEngineHandler();
globalThis.onmessage = (event: MessageEvent): void => handler.onmessage(event);
