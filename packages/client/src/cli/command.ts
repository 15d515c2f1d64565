/** What a command can do besides computing: given, so that a test can watch it. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  /** Null where there is more than so many bytes. */
  readStdin(limit: number): Promise<Uint8Array | null>;
  /** Results: what a script would read. */
  out(text: string): void;
  /** Everything said to the person. */
  err(text: string): void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export interface Arguments {
  positionals: string[];
  /** The last value of each flag. */
  flags: Readonly<Record<string, string | undefined>>;
  /** All values of each flag. */
  lists: Readonly<Record<string, readonly string[]>>;
  switches: ReadonlySet<string>;
}

/** A flag of a command. */
export interface Option {
  type: 'string' | 'boolean';
  /** May be given more than once. */
  multiple?: true;
  /** What stands after the flag in the help, e.g. `FILE`. */
  value?: string;
  /** What it is for, in one line. */
  help: string;
}

export interface Command {
  /** One or two words, as they are typed. */
  name: string;
  /** What follows the name. */
  usage: string;
  summary: string;
  /** Whether words other than flags belong to it. */
  takesWords: boolean;
  options: Readonly<Record<string, Option>>;
  /** For the help: what to give it, and examples that can be typed as they are. */
  details?: string;
  /** The exit code: 0, or 1 where the answer is no. Throws UsageProblem, and what the client throws. */
  run(given: Arguments, io: Io): Promise<number>;
}

/** A command that cannot be carried out as it was typed: the message says what to type instead. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
