/** Runs a step of longer work. Prints a line when it is done, and one while it takes long. */
export type Step = <T>(label: string, work: () => Promise<T>) => Promise<T>;

const SLOW_MS = 3_000;

/** Prints `✓ label (1.2 s)` through `say` after each step, and `… label` when a step takes more than 3 s. */
export function showSteps(say: (line: string) => void): Step {
  return async (label, work) => {
    const began = performance.now();
    const slow = setTimeout(() => say(`  … ${label}`), SLOW_MS);
    try {
      const result = await work();
      say(`  ✓ ${label} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      return result;
    } finally {
      clearTimeout(slow);
    }
  };
}
