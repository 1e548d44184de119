/** The tools that people add to this page: written here, or of an MCP server. */
import { signal } from "@preact/signals";
import { addServer, mcpServers } from "../data/mcp_servers.js";
import { addCode, ownCodes } from "../data/own_code.js";
import { offeredTools } from "../data/offered_tools.js";
import { closeSession, running, session } from "../data/run.js";
import { counted } from "./amounts.js";
import { CodeCard } from "./code_card.js";
import { Icon } from "./icons.js";
import { McpCard } from "./mcp_card.js";
import { PageDialog } from "./page_dialog.js";

const open = signal(false);
/** The code whose editor is shown. */
export const shownCode = signal<number | undefined>();

export function showTools(): void {
  open.value = true;
}

/** Leads to the tools: the way to add the first one, then how many there are. */
export function ToolsButton() {
  const count = offeredTools.value.length;
  return (
    <button type="button" class="quiet small tools-button" aria-haspopup="dialog" onClick={showTools}>
      <Icon name={count === 0 ? "plus" : "tools"} /> {count === 0 ? "Add a tool" : counted(count, "added tool")}
    </button>
  );
}

export function ToolsDialog() {
  return (
    <PageDialog isOpen={open.value} onClose={() => (open.value = false)} title="Your tools" look="tools">
      <Inside />
    </PageDialog>
  );
}

function Inside() {
  const isEmpty = ownCodes.value.length + mcpServers.value.length === 0;
  return (
    <>
      <p class="hint">
        What your agent may call besides the tools of its definition. The model asks for a call; purestep checks it
        before it runs.
      </p>
      <RunKeepsItsTools />
      {ownCodes.value.map((code) => (
        <CodeCard
          key={code.id}
          code={code}
          isShown={shownCode.value === code.id}
          show={(id) => (shownCode.value = id)}
        />
      ))}
      {mcpServers.value.map((server) => (
        <McpCard key={server.id} server={server} />
      ))}
      <div class="buttons">
        <button type="button" class={isEmpty ? "primary" : ""} onClick={writeTool}>
          <Icon name="plus" /> Write a tool in JavaScript
        </button>
        <button type="button" onClick={connectServer}>
          <Icon name="plus" /> Connect an MCP server
        </button>
      </div>
    </>
  );
}

function writeTool(): void {
  shownCode.value = addCode();
  goToNewest();
}

function connectServer(): void {
  addServer();
  goToNewest("input");
}

/** Brings the keyboard to what was just added: it stands before the buttons, where Tab does not come. */
function goToNewest(field = "[aria-expanded=true]"): void {
  requestAnimationFrame(() => {
    const fields = [...document.querySelectorAll(".added")].map((each) => each.querySelector<HTMLElement>(field));
    fields.findLast((each) => each !== null)?.focus();
  });
}

/** A run keeps the tools that it began with. */
function RunKeepsItsTools() {
  if (!session.value) return null;
  return (
    <p class="note">
      <span>
        The run on show keeps the tools that it started with.{" "}
        <button type="button" class="link" disabled={running.value} onClick={closeSession}>
          Start a new run
        </button>{" "}
        to use these.
      </span>
    </p>
  );
}
