/**
 * Makes a handler of a message, a timer or an event that neither throws nor rejects. An exception in such a handler
 * would otherwise end the process: it loses one message instead, and `failed` hears of it.
 */
export function guarded<Parameters extends readonly unknown[]>(
  handle: (...parameters: Parameters) => unknown,
  failed: (error: unknown) => void,
): (...parameters: Parameters) => void {
  return (...parameters) => {
    try {
      const result = handle(...parameters);
      if (result instanceof Promise) result.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

/** Calls a guarded task again and again, until the timer is cleared. */
export function every(everyMs: number, task: () => unknown, failed: (error: unknown) => void): NodeJS.Timeout {
  return setInterval(guarded(task, failed), everyMs);
}
