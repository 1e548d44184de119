// Made from hosts/purestep_hosts/models/server_kinds.py, which has the source of each, by
// tools/types/tool_data.py; do not edit.

/** Kinds of servers by name: where each is, how it wants to be asked, and whether it is on this machine. */
export const SERVER_KINDS = {
  "ollama": {"title": "Ollama", "baseUrl": "http://127.0.0.1:11434/v1", "profile": "ollama", "isLocal": true},
  "lmstudio": {"title": "LM Studio", "baseUrl": "http://127.0.0.1:1234/v1", "profile": "lmstudio", "isLocal": true},
  "llama-server": {"title": "llama-server", "baseUrl": "http://127.0.0.1:8080/v1", "profile": "llama-server", "isLocal": true},
  "vllm": {"title": "vLLM", "baseUrl": "http://127.0.0.1:8000/v1", "profile": "vllm", "isLocal": true},
  "openai": {"title": "OpenAI", "baseUrl": "https://api.openai.com/v1", "profile": "openai-chat", "isLocal": false},
  "openrouter": {"title": "OpenRouter", "baseUrl": "https://openrouter.ai/api/v1", "profile": "openrouter", "isLocal": false},
  "groq": {"title": "Groq", "baseUrl": "https://api.groq.com/openai/v1", "profile": "groq", "isLocal": false},
} as const;

/** Kinds of servers that are asked in a protocol of their own, and not here. */
export const OTHER_KINDS: readonly string[] = ["anthropic", "google", "openai-responses"];
