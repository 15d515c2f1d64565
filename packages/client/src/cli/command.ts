/** Input and output of a command. Tests pass their own. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  /** Reads standard input; null if it has more than `limit` bytes. */
  readStdin(limit: number): Promise<Uint8Array | null>;
  /** Writes results, which scripts read. */
  out(text: string): void;
  /** Writes messages for people. */
  err(text: string): void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export interface Arguments {
  positionals: string[];
  /** The value of each flag; the last one if it was repeated. */
  flags: Readonly<Record<string, string | undefined>>;
  /** All values of each flag. */
  lists: Readonly<Record<string, readonly string[]>>;
  switches: ReadonlySet<string>;
}

export interface Option {
  type: 'string' | 'boolean';
  /** May be given more than once. */
  multiple?: true;
  /** The placeholder after the flag in the help, e.g. `FILE`. */
  value?: string;
  /** What the flag does, in one line. */
  help: string;
}

export interface Command {
  /** One or two words, as the user types them. */
  name: string;
  /** The help text for what follows the name. */
  usage: string;
  summary: string;
  /** Whether it accepts arguments that are not flags. */
  takesWords: boolean;
  options: Readonly<Record<string, Option>>;
  /** More help: the input, and examples to copy. */
  details?: string;
  /** Returns the exit code: 0, or 1 for a negative result. Throws UsageProblem or an error of the client. */
  run(args: Arguments, io: Io): Promise<number>;
}

/** A command line that makes no sense. The message says what to type instead. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}
