/** What the page offers to begin with: a definition, a question that suits it, and a script in the place of a model. */

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly question: string;
  readonly definition: object;
  readonly script: readonly string[];
  /** What its tools return, call by call, where they are of no page: the last one is given again. */
  readonly results?: Readonly<Record<string, readonly unknown[]>>;
  /** What is told of it where it is recorded. */
  readonly story?: Story;
}

/** A preset whose recorded run shows how something is prevented. */
export interface Story {
  /** What an agent would do, after "before it". */
  readonly prevents: string;
  /** What the results of a tool are called in a sentence, where its name does not say it. */
  readonly sources?: Readonly<Record<string, string>>;
  /** The recorded run has what no script can play, such as a crash. */
  readonly isOnlyRecorded?: boolean;
}

export const call = (tool_name: string, args: object): string =>
  JSON.stringify({ kind: "tool_call", tool_name, arguments: args });
export const final = (content: string): string => JSON.stringify({ kind: "final", content });

export const NUMBER = { type: "number" };
