/** What was loaded to make the core run here: its parts, their sizes and times, and whether a faster way failed. */
import type { LoadReport } from "../../../src/core/boot.js";
import { againWords, coreStatus, loadCoreAgain } from "../core/load_core.js";
import type { CoreFailed, CoreInfo } from "../core/load_core.js";
import { bytes, milliseconds } from "./amounts.js";

export function CoreCard() {
  const status = coreStatus.value;
  return (
    <details id="core" class="panel" open={status.kind === "failed"}>
      <summary>
        <h2>Core</h2>
        <span class="hint">{status.kind === "ready" ? summary(status.report) : status.kind}</span>
      </summary>
      {status.kind === "loading" && <Loading />}
      {status.kind === "failed" && <Failed status={status} />}
      {status.kind === "ready" && <Report report={status.report} info={status.info} />}
    </details>
  );
}

function summary(report: LoadReport): string {
  const total = report.parts.reduce((sum, part) => sum + part.bytes, 0);
  return `${bytes(total)} in ${milliseconds(report.totalMs)}`;
}

export function Loading() {
  const status = coreStatus.value;
  const progress = status.kind === "loading" ? status.progress : undefined;
  return (
    <div class="load">
      <progress max={progress?.totalBytes ?? 1} value={progress?.loadedBytes ?? 0} aria-label="Loading the core" />
      <p class="hint">
        {progress
          ? `${bytes(progress.loadedBytes)} of ${bytes(progress.totalBytes)}, ${progress.part}`
          : "Starting a worker"}
      </p>
    </div>
  );
}

function Failed({ status }: { status: CoreFailed }) {
  return (
    <div role="alert">
      <p class="problem">{status.message}</p>
      <button type="button" onClick={loadCoreAgain}>
        {againWords(status)}
      </button>
    </div>
  );
}

function Report({ report, info }: { report: LoadReport; info: CoreInfo }) {
  return (
    <>
      <p class="hint">
        purestep {info.version}, schema {info.schema_version},{" "}
        {report.tier === "snapshot" ? "restored from a snapshot" : "started from its files"}, in{" "}
        {report.noWorker ? "this page itself" : "a worker of this page"}.
      </p>
      {report.noWorker && (
        <p class="note tone-corrected">
          <span>
            <b class="tone-word">Less smooth</b> The core has no worker: {report.noWorker.message}
          </span>
        </p>
      )}
      {report.fallback && (
        <p class="note tone-corrected">
          <span>
            <b class="tone-word">Slower start</b> The snapshot was not used: {report.fallback.message}
          </span>
        </p>
      )}
      <table class="load-parts">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Size</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {report.parts.map((part) => (
            <tr key={part.name}>
              <th scope="row">{part.name}</th>
              <td>{bytes(part.bytes)}</td>
              <td>{milliseconds(part.ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {Object.entries(report.versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(", ")}
      </p>
    </>
  );
}
