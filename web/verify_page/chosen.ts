/** What was chosen or dropped: logs, each with the head that its session keeps beside it, a receipt and a key. */

export interface Files {
  readonly logs: readonly Chosen[];
  readonly receipt?: Chosen;
  /** The public key of who signs the receipt. */
  readonly key?: Chosen;
}

export interface Chosen {
  /** Its path below what was chosen. */
  readonly name: string;
  readonly file: File;
  readonly head?: string;
}

interface Found {
  readonly path: string;
  readonly file: File;
}

/** A page cannot show what it would find in more. */
const MOST_FILES = 20_000;
const HEAD = /^[0-9a-f]{64}$/;
const RECEIPT = /\.receipt$/i;
const KEY = /\.(pub|pem)$/i;

/** Gives what a drop holds, also below folders; has to be called before the drop's event has ended. */
export async function dropped(items: DataTransferItemList): Promise<Files> {
  const all = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const folders = all.flatMap(({ entry }) => (entry?.isDirectory ? entry : []));
  // Not by their entries, which Chromium does not open in a page from the disk.
  const files = all.flatMap(({ entry, file }) => (entry?.isDirectory || !file ? [] : file));
  const found: Found[] = files.map((file) => ({ path: file.name, file }));
  try {
    for (const entry of folders) await addAll(entry, found);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Error("This browser does not open a dropped folder here. Choose it with the button, or drop its logs.");
  }
  return filesOf(found, folders.length === 0);
}

async function addAll(entry: FileSystemEntry, found: Found[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    found.push({ path: entry.fullPath.slice(1), file });
    checkCount(found.length);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives a part at a time, and nothing after the last one.
    const part = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (part.length === 0) return;
    for (const each of part) await addAll(each, found);
  }
}

function checkCount(files: number): void {
  if (files > MOST_FILES)
    throw new RangeError("These are more than 20,000 files. Choose a smaller folder, or use purestep verify FOLDER.");
}

/** Gives what a file field holds. */
export async function picked(files: FileList): Promise<Files> {
  const all = [...files];
  checkCount(all.length);
  const found = all.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  return filesOf(
    found,
    all.every((file) => file.webkitRelativePath === ""),
  );
}

async function filesOf(found: readonly Found[], areFiles: boolean): Promise<Files> {
  const receipt = found.find(({ path }) => RECEIPT.test(path));
  const key = found.find(({ path }) => KEY.test(path));
  const others = found.filter(({ path }) => !RECEIPT.test(path) && !KEY.test(path));
  const named = (each: Found): Chosen => ({ name: each.path, file: each.file });
  const logs = await logsOf(others, areFiles);
  return { logs, ...(receipt && { receipt: named(receipt) }), ...(key && { key: named(key) }) };
}

/** areFiles: each was chosen by itself, so each is meant, whatever its name is. */
async function logsOf(found: readonly Found[], areFiles: boolean): Promise<Chosen[]> {
  const heads = new Map(found.map(({ path, file }) => [path, file] as const));
  const logs = found.filter(({ path }) => path.endsWith(".jsonl") || (areFiles && !/(^|\/)head$/.test(path)));
  return Promise.all(
    logs.map(async ({ path, file }) => {
      const beside = /(^|\/)log\.jsonl$/.test(path) ? heads.get(path.replace(/log\.jsonl$/, "head")) : undefined;
      const head = beside && beside.size < 200 ? (await beside.text()).trim() : "";
      return { name: path, file, ...(HEAD.test(head) && { head }) };
    }),
  );
}
