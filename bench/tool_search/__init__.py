"""Tool search with the tools of published MCP servers: prompt tokens, the right tool among the first, and cost."""
