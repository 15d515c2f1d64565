/** What the program is given from outside: a process's own, or a test's. */
export interface World {
  env: NodeJS.ProcessEnv;
  /** All of standard input. */
  readStdin(): Promise<string>;
  out(text: string): void;
  err(text: string): void;
}

/** How the process ends. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unavailable: 3, pending: 4 } as const;
