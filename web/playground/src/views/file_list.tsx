/** Images and files: a picture of what is one, and the name, type and size of each. */
import { useEffect, useState } from "preact/hooks";
import type { FilePart, ImagePart } from "../../../src/generated/wire.js";
import { filesOf, isPicture } from "../data/attached_files.js";
import { partText } from "../data/content_text.js";
import { session } from "../data/run.js";
import { sanitize } from "../../../src/sanitize.js";
import { bytes } from "./amounts.js";
import { Icon } from "./icons.js";
import { UntrustedText } from "./untrusted_text.js";

type Part = ImagePart | FilePart;

export function FileList({ parts, remove }: { parts: readonly Part[]; remove?: (digest: string) => void }) {
  if (parts.length === 0) return null;
  return (
    <ul class="files" aria-label="Images and files">
      {parts.map((part) => (
        <li key={part.digest}>
          {isPicture(part.media_type) ? <Picture part={part} /> : <Icon name="file" />}
          <span class="file-words" title={sanitize(partText(part))}>
            <strong>
              <UntrustedText text={part.name ?? "without a name"} />
            </strong>
            <small>
              <UntrustedText text={`${bytes(part.bytes)}, ${part.media_type}`} />
            </small>
          </span>
          {remove && (
            <button
              type="button"
              class="quiet icon-only"
              aria-label={`Remove ${part.name ?? "the attachment"}`}
              onClick={() => remove(part.digest)}
            >
              <Icon name="close" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The picture, from the bytes that the page keeps; a browser decodes it as an image and as nothing else. */
function Picture({ part }: { part: Part }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isGone = false;
    void filesOf(session.value?.id ?? "")
      .get(part.digest)
      .then((data) => {
        if (!data || isGone) return;
        made = URL.createObjectURL(new Blob([new Uint8Array(data)], { type: part.media_type }));
        setUrl(made);
      });
    return () => {
      isGone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [part.digest]);
  // Its place is kept until the bytes are there.
  return url ? <img src={url} alt={part.name ?? "image"} /> : <span class="picture" />;
}
