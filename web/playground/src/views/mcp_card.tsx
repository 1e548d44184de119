/** An MCP server: its address, its key, and the tools that it lists, each with what it may do. */
import { useId } from "preact/hooks";
import type { McpServer, McpStatus } from "../data/mcp_servers.js";
import {
  changeAddress,
  changeKey,
  connect,
  disconnect,
  mcpKeys,
  mcpStatusOf,
  offer,
  removeServer,
} from "../data/mcp_servers.js";
import { Icon } from "./icons.js";
import { ToolRow } from "./tool_row.js";
import { UntrustedText } from "./untrusted_text.js";

export function McpCard({ server }: { server: McpServer }) {
  const status = mcpStatusOf(server.id);
  const title = status.kind === "ready" ? status.found.name : "MCP server";
  return (
    <section class="added" aria-label={title}>
      <div class="added-head">
        <h3>
          <UntrustedText text={title} />
        </h3>
        <Badge status={status} />
        <span class="grow" />
        {status.kind === "ready" && (
          <button type="button" class="small" onClick={() => disconnect(server.id)}>
            Disconnect
          </button>
        )}
        <button type="button" class="quiet small" onClick={() => removeServer(server.id)}>
          <Icon name="close" /> Remove
        </button>
      </div>
      {status.kind === "ready" ? <Offered id={server.id} status={status} /> : <Where server={server} status={status} />}
    </section>
  );
}

function Badge({ status }: { status: McpStatus }) {
  if (status.kind === "ready")
    return (
      <span class="badge tone-accepted" role="status">
        connected
      </span>
    );
  return status.kind === "failed" ? (
    <span class="badge tone-failed">not connected</span>
  ) : (
    <span class="badge">off</span>
  );
}

function Where({ server: { id, address }, status }: { server: McpServer; status: McpStatus }) {
  const field = useId();
  return (
    <form class="fields" onSubmit={(event) => (event.preventDefault(), void connect(id))}>
      <label for={`${field}-address`}>
        Address <span class="hint">streamable HTTP</span>
      </label>
      <input
        id={`${field}-address`}
        type="url"
        value={address}
        placeholder="https://mcp.example.com/mcp"
        autocomplete="off"
        aria-describedby={status.kind === "failed" ? `${field}-problem` : undefined}
        onInput={({ currentTarget }) => changeAddress(id, currentTarget.value)}
      />
      <label for={`${field}-key`}>
        Key <span class="hint">kept in memory only</span>
      </label>
      <input
        id={`${field}-key`}
        type="password"
        autocomplete="off"
        value={mcpKeys.value.get(id) ?? ""}
        placeholder="if the server wants one"
        onInput={({ currentTarget }) => changeKey(id, currentTarget.value)}
      />
      {status.kind === "failed" && (
        <p class="problem" role="alert" id={`${field}-problem`}>
          <UntrustedText text={status.words} />
        </p>
      )}
      <div class="buttons">
        <button class="primary" disabled={status.kind === "connecting"}>
          {status.kind === "connecting" ? "Connecting" : "Connect"}
        </button>
      </div>
    </form>
  );
}

function Offered({ id, status: { found, left } }: { id: number; status: Extract<McpStatus, { kind: "ready" }> }) {
  return (
    <>
      <ul class="added-tools">
        {found.tools.map(({ spec }) => (
          <li key={spec.name}>
            <label class="offered">
              <input
                type="checkbox"
                checked={!left.has(spec.name)}
                onChange={({ currentTarget }) => offer(id, spec.name, currentTarget.checked)}
              />
              <ToolRow spec={spec} />
            </label>
          </li>
        ))}
      </ul>
      {found.tools.length === 0 && <p class="hint">It lists no tool that can be used.</p>}
      {found.warnings.map((warning) => (
        <p class="hint" key={warning}>
          <UntrustedText text={warning} />
        </p>
      ))}
    </>
  );
}
