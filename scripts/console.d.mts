/** Builds the console if it is missing or older than its sources. Returns the exit code; 0: it is there. */
export function ensureConsole(node: string): Promise<number>;
