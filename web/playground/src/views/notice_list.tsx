/** Notices at the edge of the page, and the live regions that read the run out. */
import { announced, notices, dismiss } from "../data/notices.js";
import { storageTrouble } from "../data/store.js";
import { waiting } from "../data/waiting.js";
import { Icon } from "./icons.js";
import { UntrustedText } from "./untrusted_text.js";

export function NoticeList() {
  return (
    <div class="notices">
      <p class="unseen" role="status">
        {announced.value}
      </p>
      {storageTrouble.value !== "" && !waiting.value.some((card) => card.kind === "storage") && (
        <p class="notice failed" role="alert">
          <span>
            <b>Nothing is being stored:</b> {storageTrouble.value}. The run continues in memory; download its log before
            you close this page.
          </span>
          <DismissButton act={() => (storageTrouble.value = "")} />
        </p>
      )}
      {notices.value.map((notice) => (
        <p key={notice.id} class={`notice ${notice.tone}`} role={notice.tone === "failed" ? "alert" : "status"}>
          <span>
            <UntrustedText text={notice.text} />
          </span>
          <DismissButton act={() => dismiss(notice.id)} />
        </p>
      ))}
    </div>
  );
}

function DismissButton({ act }: { act: () => void }) {
  return (
    <button type="button" class="quiet small icon-only" aria-label="Dismiss this notice" onClick={act}>
      <Icon name="close" />
    </button>
  );
}
