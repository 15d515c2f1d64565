/** Asks a pool for a share. Resolves to the function that gives it back; null: it was refused. */
export type AskPool = (owner: string) => Promise<(() => void) | null>;

export interface QuietOwners {
  refused: number;
  /** The 95th percentile of the rounds from asking for a share to giving it back. */
  p95: number;
}

const rounds = 80;
/** A share is held for so many rounds. */
const holdFor = 4;
/** The greedy owner always has so many more requests open. */
const greed = 40;

/**
 * Nine owners that use one share at a time of a pool, alone and next to one that always wants more. Counts rounds, in each
 * of which shares are given back and requested, so that a busy machine changes nothing.
 */
export async function tryGreedyAndNine(open: () => AskPool): Promise<{ alone: QuietOwners; joined: QuietOwners }> {
  return { alone: await runRounds(open(), 0), joined: await runRounds(open(), greed) };
}

async function runRounds(ask: AskPool, greedy: number): Promise<QuietOwners> {
  const held: { until: number; giveBack: () => void }[] = [];
  const open = new Map<string, number>();
  const took: number[] = [];
  let refused = 0;
  let round = 0;
  const request = (owner: string): void => {
    const since = round;
    open.set(owner, (open.get(owner) ?? 0) + 1);
    const end = (): void => void open.set(owner, (open.get(owner) ?? 0) - 1);
    void ask(owner).then((giveBack) => {
      const isQuiet = owner !== 'greedy';
      if (!giveBack) {
        if (isQuiet) refused++;
        return end();
      }
      if (isQuiet) took.push(round + holdFor - since);
      const done = (): void => {
        giveBack();
        // The greedy one asks again at once, while it still holds what it has.
        if (isQuiet) end();
      };
      held.push({ until: round + holdFor, giveBack: done });
      if (!isQuiet) end();
    });
  };
  for (; round < rounds; round++) {
    for (const share of held.splice(0)) {
      if (share.until > round) held.push(share);
      else share.giveBack();
    }
    for (let asked = open.get('greedy') ?? 0; asked < greedy; asked++) request('greedy');
    for (let nth = 1; nth <= 9; nth++) if (!open.get(`quiet ${nth}`)) request(`quiet ${nth}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const share of held) share.giveBack();
  took.sort((a, b) => a - b);
  return { refused, p95: took[Math.ceil(took.length * 0.95) - 1] ?? Number.POSITIVE_INFINITY };
}
