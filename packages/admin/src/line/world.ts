/** Input and output of the program: of the process, or of a test. */
export interface World {
  env: NodeJS.ProcessEnv;
  /** All of standard input. */
  readStdin(): Promise<string>;
  out(text: string): void;
  err(text: string): void;
  /** Keeps the details of an unexpected error in a file that only its owner reads. Its path; null if it cannot be written. */
  keepDetails(details: string): string | null;
}

/** The exit codes of the process. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unavailable: 3, pending: 4 } as const;
