import { every } from '@tidegate/domain';

/**
 * Runs `work` in this process every `everyMs`, never twice at once. `stop` waits for the current run, which checks
 * `isStopped`.
 */
export function repeatHere(
  everyMs: number,
  work: (isStopped: () => boolean) => Promise<void>,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false;
  let run: Promise<void> | null = null;
  const begin = (): void => {
    run ??= work(() => isStopped)
      .catch(failed)
      .finally(() => {
        run = null;
      });
  };
  const timer = every(everyMs, begin, failed);
  return {
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await run;
    },
  };
}
