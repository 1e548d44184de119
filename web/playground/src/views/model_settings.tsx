/** The settings of each kind of model. */
import { useEffect } from "preact/hooks";
import { dropModel } from "../models/choice.js";
import { ggufSettings } from "../models/gguf_source.js";
import { SERVER_KINDS } from "../../../src/generated/server_kinds.js";
import { addressHint, addressOf, addressTrouble, httpSettings, type ChosenServer } from "../models/http_source.js";
import type { SourceId } from "../models/source.js";
import { listWebllmModels, webllmModel, webllmModels } from "../models/webllm_source.js";
import type { WebLlmModelInfo } from "../../../src/models/webllm.js";
import { bytes } from "./amounts.js";
import { ScriptEditor } from "./script_editor.js";

export function ModelSettings({ id }: { id: SourceId }) {
  switch (id) {
    case "gguf":
      return <GgufSettings />;
    case "http":
      return <HttpSettings />;
    case "webllm":
      return <WebLlmSettings />;
    case "scripted":
      return <ScriptEditor />;
    default:
      return null;
  }
}

function GgufSettings() {
  const { file, url } = ggufSettings.value;
  const change = (changed: { file?: File; url?: string }): void => {
    ggufSettings.value = { url, ...changed };
    dropModel();
  };
  return (
    <div class="fields">
      <label for="gguf-file">File on this device</label>
      <input
        id="gguf-file"
        type="file"
        accept=".gguf"
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          change(chosen ? { file: chosen } : {});
        }}
      />
      {file && <p class="hint">{bytes(file.size)}; a tab has room for about two gigabytes.</p>}
      <label for="gguf-url">
        Or its address <span class="hint">fetched from there, then kept by the browser</span>
      </label>
      <input
        id="gguf-url"
        type="url"
        value={url}
        placeholder="https://example.com/model.gguf"
        disabled={file !== undefined}
        onInput={(event) => change({ url: event.currentTarget.value })}
      />
    </div>
  );
}

function HttpSettings() {
  const settings = httpSettings.value;
  const change = (changed: Partial<typeof settings>): void => {
    httpSettings.value = { ...settings, ...changed };
    dropModel();
  };
  const address = addressOf(settings);
  const [trouble, hint] = [addressTrouble(address), addressHint(address)];
  const wantsKey = settings.server !== "own" && !SERVER_KINDS[settings.server].isLocal;
  return (
    <div class="fields">
      <label for="server-name">Server</label>
      <select
        id="server-name"
        value={settings.server}
        // A key is for the server that it was entered for.
        onChange={(event) => change({ server: event.currentTarget.value as ChosenServer, key: "" })}
      >
        {Object.entries(SERVER_KINDS).map(([name, { title, isLocal }]) => (
          <option key={name} value={name}>
            {isLocal ? `${title}, on this machine` : title}
          </option>
        ))}
        <option value="own">Own address</option>
      </select>
      {settings.server === "own" ? (
        <>
          <label for="base-url">Base URL</label>
          <input
            id="base-url"
            type="url"
            value={settings.base_url}
            aria-invalid={trouble !== ""}
            aria-describedby={trouble === "" ? undefined : "base-url-trouble"}
            onInput={(event) => change({ base_url: event.currentTarget.value })}
          />
        </>
      ) : (
        <p class="hint address">{address}</p>
      )}
      {trouble !== "" && (
        <p class="problem" id="base-url-trouble">
          {trouble}
        </p>
      )}
      {hint !== "" && <p class="hint">{hint}</p>}
      <label for="model-name">Model</label>
      <input
        id="model-name"
        value={settings.model}
        placeholder="as the server names it"
        onInput={(event) => change({ model: event.currentTarget.value })}
      />
      <label for="api-key">
        Key <span class="hint">kept in memory only</span>
      </label>
      <input
        id="api-key"
        type="password"
        autocomplete="off"
        value={settings.key}
        placeholder={wantsKey ? "" : "if the server wants one"}
        onInput={(event) => change({ key: event.currentTarget.value })}
      />
    </div>
  );
}

function WebLlmSettings() {
  useEffect(() => void listWebllmModels(), []);
  const models = webllmModels.value;
  if (typeof models === "string") return <p class="hint">{models}</p>;
  return (
    <div class="fields">
      <label for="webllm-model">Model, its download and the graphics memory it needs</label>
      <select
        id="webllm-model"
        value={webllmModel.value}
        onChange={(event) => {
          webllmModel.value = event.currentTarget.value;
          dropModel();
        }}
      >
        {models.map((model) => (
          <option key={model.id} value={model.id}>
            {optionWords(model)}
          </option>
        ))}
      </select>
    </div>
  );
}

function optionWords({ id, downloadMB, vramMB }: WebLlmModelInfo): string {
  const sizes = [downloadMB && `about ${megabytes(downloadMB)}`, vramMB && `${megabytes(vramMB)} memory`];
  return [id.replace(/-MLC$/, ""), ...sizes].filter(Boolean).join(", ");
}

const megabytes = (count: number): string => bytes(Math.round(count) * 1_000_000);
