import { createContext, Script } from 'node:vm';

/** Thrown by `run` when the work takes too long. */
export class OutOfTime extends Error {}

/**
 * Runs synchronous work, and stops it after `limitMs`. Only a watchdog outside JavaScript can do that, and `vm` has
 * one. The work may be stopped at any instruction, so it must not leave partial writes.
 */
export function withinBudget(limitMs: number): <Result>(work: () => Result) => Result {
  const script = new Script('work()');
  const holder: { work: (() => unknown) | null } = { work: null };
  const context = createContext(holder);
  return <Result>(work: () => Result): Result => {
    holder.work = work;
    try {
      return script.runInContext(context, { timeout: limitMs }) as Result;
    } catch (error) {
      if (isTimeout(error)) throw new OutOfTime(`not done within ${limitMs} ms`);
      throw error;
    } finally {
      holder.work = null;
    }
  };
}

/** The error belongs to the script's own realm. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
