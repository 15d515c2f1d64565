import { createContext, Script } from 'node:vm';

/** What `run` throws when the work takes longer than it may. */
export class OutOfTime extends Error {}

/**
 * Runs synchronous work and stops it once `limitMs` have passed. Only a watchdog outside JavaScript can do that, and `vm` has one.
 * The work is stopped at any instruction, so it must not leave anything half written behind.
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

/** It is an Error of the script's own realm. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
