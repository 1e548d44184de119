/** Images and files: those that go with the next question, and those of sessions, kept by their digest. */
import { signal } from "@preact/signals";
import type { DBSchema, IDBPDatabase } from "idb";
import { openDB } from "idb";
import { type Attachment, attached, type AttachmentStore } from "../../../src/agent/attachments.js";
import { chosenSource } from "../models/choice.js";
import { notify, wordsOf } from "./notices.js";

/** What goes with the next question. */
export const pendingFiles = signal<readonly Attachment[]>([]);

const SHOWN_IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Tells whether a browser may show it as a picture; SVG, which is a document, is none of these. */
export function isPicture(mediaType: string): boolean {
  return SHOWN_IMAGES.includes(mediaType);
}

/** Adds files to the next question; says of each that cannot be sent why. */
export async function attachFiles(files: Iterable<File>): Promise<void> {
  for (const file of [...files]) {
    try {
      const found = await attached(file);
      const { title, readsFiles } = chosenSource();
      const isText = found.part.media_type.startsWith("text/") || found.part.media_type === "application/json";
      if (!readsFiles && !isText)
        notify(`${title} reads text files only. For images and PDF files choose an HTTP endpoint in Setup.`, "failed");
      else {
        detach(found.part.digest); // chosen twice, it is sent once
        inMemory.set(found.part.digest, found.bytes);
        pendingFiles.value = [...pendingFiles.value, found];
      }
    } catch (error) {
      notify(wordsOf(error), "failed");
    }
  }
}

export function detach(digest: string): void {
  pendingFiles.value = pendingFiles.value.filter(({ part }) => part.digest !== digest);
}

interface FilesSchema extends DBSchema {
  files: { key: [string, string]; value: { session: string; digest: string; bytes: Uint8Array<ArrayBuffer> } };
}

/** What this page has kept or read, also where the browser stores nothing. */
const inMemory = new Map<string, Uint8Array<ArrayBuffer>>();
let opening: Promise<IDBPDatabase<FilesSchema>> | undefined;

function database(): Promise<IDBPDatabase<FilesSchema>> {
  opening ??= openDB<FilesSchema>("purestep-playground-files", 1, {
    upgrade: (fresh) => void fresh.createObjectStore("files", { keyPath: ["session", "digest"] }),
  });
  return opening;
}

interface FileStore extends AttachmentStore {
  get(digest: string): Promise<Uint8Array | undefined>;
}

/** Gives what keeps the images and files of a session. */
export function filesOf(session: string): FileStore {
  return {
    async put(digest, bytes) {
      inMemory.set(digest, bytes);
      // Without storage the run goes on in memory, which the page says of the log.
      await database()
        .then((store) => store.put("files", { session, digest, bytes }))
        .catch(forget);
    },
    async get(digest) {
      const found = inMemory.get(digest);
      if (found) return found;
      const row = await database()
        .then((store) => store.get("files", [session, digest]))
        .catch(forget);
      if (row) inMemory.set(digest, row.bytes);
      return row?.bytes;
    },
  };
}

export async function discardFiles(session: string): Promise<void> {
  const own = IDBKeyRange.bound([session], [session, []]);
  await database()
    .then((store) => store.delete("files", own))
    .catch(forget);
}

function forget(): undefined {
  opening = undefined; // it may work again later
}
