/**
 * Measures each kind of request, in milliseconds: the median of `samples`, each prepared before its time begins. The
 * kinds alternate, so that other load affects all of them. Repeats up to `rounds` times until the slowest median is
 * within `ratio` of the fastest, and returns the last round.
 */
export async function compareTimes(
  kinds: Readonly<Record<string, () => Promise<() => Promise<unknown>>>>,
  { samples, ratio, rounds = 5 }: { samples: number; ratio: number; rounds?: number },
): Promise<{ medians: Record<string, number>; ratio: number }> {
  let medians: Record<string, number> = {};
  let spread = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && spread > ratio; round += 1) {
    const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
    for (let i = 0; i < samples; i += 1) {
      for (const [kind, prepare] of Object.entries(kinds)) {
        const ask = await prepare();
        const from = performance.now();
        await ask();
        times.get(kind)?.push(performance.now() - from);
      }
    }
    medians = Object.fromEntries([...times].map(([kind, all]) => [kind, medianOf(all)]));
    spread = Math.max(...Object.values(medians)) / Math.min(...Object.values(medians));
  }
  return { medians, ratio: spread };
}

function medianOf(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** The results in one line, for the output of the tests. */
export function inWords({ medians, ratio }: { medians: Record<string, number>; ratio: number }): string {
  const texts = Object.entries(medians).map(([kind, ms]) => `${kind} ${ms.toFixed(2)} ms`);
  return `${texts.join(', ')}; ratio ${ratio.toFixed(2)}`;
}
