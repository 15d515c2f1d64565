/** Input and output of the program: of the process, or of a test. */
export interface World {
  env: NodeJS.ProcessEnv;
  /** All of standard input. */
  readStdin(): Promise<string>;
  out(text: string): void;
  err(text: string): void;
}

/** The exit codes of the process. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unavailable: 3, pending: 4 } as const;
