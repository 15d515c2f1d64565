/** Input and output of a command. Tests replace it. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  /** Null if there are more bytes than this. */
  readStdin(limit: number): Promise<Uint8Array | null>;
  /** Results, for scripts. */
  out(text: string): void;
  /** Messages for people. */
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
  /** The placeholder after the flag in the help, e.g. `FILE`. */
  value?: string;
  /** Its purpose, in one line. */
  help: string;
}

export interface Command {
  /** One or two words, as typed. */
  name: string;
  /** The arguments after the name. */
  usage: string;
  summary: string;
  /** Whether it takes words other than flags. */
  takesWords: boolean;
  options: Readonly<Record<string, Option>>;
  /** For the help: its input, and examples that can be typed. */
  details?: string;
  /** Returns the exit code: 0, or 1 for a negative result. Throws UsageProblem, and the client's errors. */
  run(args: Arguments, io: Io): Promise<number>;
}

/** A command line that cannot be executed. The message says what to type instead. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
