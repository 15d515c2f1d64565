/**
 * Takes the lock of this name for this clone, and returns the function that gives it back. While another process has it,
 * `waiting` is printed once. Throws after `waitMs`.
 */
export function takeLock(
  name: string,
  options: { waiting: string; waitMs?: number; pollMs?: number; folder?: string },
): Promise<() => void>;
