/** Notes that last as long as the session, in the browser's IndexedDB: append one, find those with a word. */
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Tool } from "../agent/ports.js";
import { MAX_NOTE_CHARS, MAX_NOTE_QUERY_CHARS, MAX_NOTES_FOUND } from "../generated/tool_limits.js";
import { TOOL_SPECS } from "../generated/tool_specs.js";
import { boundedText, toolOfSpec, ToolFailure } from "./tool.js";

/** Which notes a run has. */
export interface NotesOptions {
  /** The session that the notes belong to; others do not see them. */
  session: string;
  /** The name of the database; default "purestep". */
  database?: string;
}

interface Note {
  session: string;
  /** The idempotency key of the call that wrote it. */
  key: string;
  note: string;
}

interface NotesSchema extends DBSchema {
  notes: { key: number; value: Note; indexes: { by_session: string; by_key: [string, string] } };
}

/** Gives the tools `session_note_append` and `session_note_search` over the notes of one session. */
export function sessionNotes(options: NotesOptions): [append: Tool, search: Tool] {
  const notes = new Notes(options);
  const append = toolOfSpec(TOOL_SPECS.session_note_append, async (params, call) => {
    const note = boundedText(params, "note", MAX_NOTE_CHARS).trim();
    if (!note) throw new ToolFailure("the note is empty", "invalid_arguments");
    await notes.append(call.key, note);
    return `noted: ${note}`;
  });
  const search = toolOfSpec(TOOL_SPECS.session_note_search, async (params) => {
    const query = boundedText(params, "query", MAX_NOTE_QUERY_CHARS);
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = (await notes.all()).filter((note) => words.every((word) => note.toLowerCase().includes(word)));
    return found.slice(-MAX_NOTES_FOUND).join("\n") || `no note contains: ${query}`;
  });
  return [append, search];
}

/** The notes of one session, in the order of their first writing; safe to use from several tabs. */
class Notes {
  #opened: Promise<IDBPDatabase<NotesSchema>> | undefined;

  constructor(readonly options: NotesOptions) {}

  /** Writes a note unless one with this key is there already. */
  async append(key: string, note: string): Promise<void> {
    const { session } = this.options;
    await this.#with(async (database) => {
      const transaction = database.transaction("notes", "readwrite");
      const known = await transaction.store.index("by_key").getKey([session, key]);
      if (known === undefined) await transaction.store.add({ session, key, note });
      await transaction.done;
    });
  }

  async all(): Promise<string[]> {
    const notes = await this.#with((database) => database.getAllFromIndex("notes", "by_session", this.options.session));
    return notes.map(({ note }) => note);
  }

  async #with<T>(work: (database: IDBPDatabase<NotesSchema>) => Promise<T>): Promise<T> {
    try {
      this.#opened ??= open(this.options.database ?? "purestep", () => (this.#opened = undefined));
      return await work(await this.#opened);
    } catch (error) {
      this.#opened = undefined; // the next call tries again
      const why = error instanceof Error ? error.name : String(error);
      throw new ToolFailure(
        `the notes cannot be reached (${why}): the browser keeps nothing for this page, or has no room`,
        "io",
      );
    }
  }
}

function open(name: string, closed: () => void): Promise<IDBPDatabase<NotesSchema>> {
  return openDB<NotesSchema>(name, 1, {
    upgrade(database) {
      const notes = database.createObjectStore("notes", { autoIncrement: true });
      notes.createIndex("by_session", "session");
      notes.createIndex("by_key", ["session", "key"], { unique: true });
    },
    blocking(_from, _to, event) {
      // Another tab wants to delete or change the database.
      (event.target as IDBDatabase).close();
      closed();
    },
    terminated: closed,
  });
}
