import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { payinRequest } from '../payin-requests.ts';
import type { ChaosHarness } from './chaos-harness.ts';
import { clientsOf } from './order-load.ts';
import { answerOf } from './place-order.ts';

// Faults that leave rows held: a process that is frozen within a transaction, and a session that holds a wallet.

type Process = 'rest' | 'worker';

const MAX_TRIES = 40;
/** The server ends the transaction of a frozen process after 0.75 s, in the ledger writer, or 5 s. */
const FREED_WITHIN_MS = 8_000;

/** Freezes a process within a transaction, for so long; the others may not wait for it until then. */
export async function freezeWithinTransaction(fixture: ChaosHarness, target: Process, ms: number): Promise<string> {
  const pid = fixture.sandbox.pidOf(target);
  const began = performance.now();
  const freeze = { from: Date.now(), to: Number.POSITIVE_INFINITY };
  fixture.freezes.push(freeze);
  let tries = 0;
  let isWithin = false;
  try {
    for (; tries < MAX_TRIES && !isWithin; tries++) {
      if (tries > 0) process.kill(pid, 'SIGCONT');
      await delay(Math.random() * 40);
      process.kill(pid, 'SIGSTOP');
      await delay(350);
      isWithin = (await openTransactions(fixture)) > 0;
    }
    const frozen = performance.now();
    const isFree = async (): Promise<boolean> => (await openTransactions(fixture)) === 0;
    if (ms > FREED_WITHIN_MS)
      await waitUntil('the rows of a frozen process are free', isFree, { timeoutMs: FREED_WITHIN_MS });
    await delay(Math.max(0, ms - (performance.now() - frozen)));
  } finally {
    process.kill(pid, 'SIGCONT');
    freeze.to = Date.now();
  }
  return `${target} ${isWithin ? 'within' : 'outside'} a transaction, after ${tries} tries and ${Math.round(performance.now() - began)} ms`;
}

/** Transactions of services that have been silent for longer than those of a working process. */
async function openTransactions({ ask }: ChaosHarness): Promise<number> {
  const sql = `select count(*)::integer as count from pg_stat_activity where datname = current_database() and application_name = 'tidegate'
    and state = 'idle in transaction' and state_change < clock_timestamp() - interval '300 ms'`;
  const { rows } = await ask(({ database }) => database.pool.query<{ count: number }>(sql));
  return rows[0]?.count ?? 0;
}

const ANSWERED_WITHIN_MS = 8_000;
/** Before the wallet is held, each of the other merchants asks for so long: what is refused then is refused by the machine. */
const CONTROL_MS = 3_000;
/** When a held wallet delayed all merchants of its queue, every second create was refused. */
const MOST_MORE_REFUSED = 0.3;
/** The machine may stall for the whole of some windows. A held wallet that delays others does so in each. */
const MOST_WINDOWS = 12;

type Merchant = ChaosHarness['sandbox']['file']['merchants'][number];
interface Answer {
  readonly whose: 'held' | 'other';
  readonly code: number | null;
  readonly ms: number;
}

/**
 * Holds one merchant's wallet for so long. Creates of all other merchants are answered meanwhile about as often as before, those of this one
 * in bounded time.
 */
export async function holdWallet(fixture: ChaosHarness, country: string, ms: number): Promise<string> {
  const merchants = fixture.sandbox.file.merchants.filter(
    (one, i, all) => all.findIndex((other) => other.country === one.country) === i,
  );
  const held = merchants.find((one) => one.country === country);
  const others = merchants.filter((one) => one !== held);
  if (!held || others.length < 3) throw new Error('the sandbox has not the merchants that are wanted');
  const before = await askUntil(fixture, Date.now() + CONTROL_MS, { other: others });
  let ofOthers: Answer[] = [];
  const during = await fixture.ask(async ({ database }) => {
    const session = await database.pool.connect();
    try {
      await session.query('begin; set local idle_in_transaction_session_timeout = 0');
      await session.query('select from wallet where merchant_id = $1 for update', [held.merchantNo]);
      const answers: Answer[] = [];
      for (let window = 0; window < MOST_WINDOWS; window += 1) {
        const asked = await askUntil(fixture, Date.now() + ms, { held: [held], other: others });
        answers.push(...asked.filter(({ whose }) => whose === 'held'));
        ofOthers = asked.filter(({ whose }) => whose === 'other');
        if (shareServed(ofOthers) >= shareServed(before) - MOST_MORE_REFUSED) break;
      }
      return [...answers, ...ofOthers];
    } finally {
      await session.query('rollback').finally(() => session.release());
    }
  });
  const ofHeld = during.filter(({ whose }) => whose === 'held');
  const heldCount = ofHeld.filter(({ code }) => code !== 50300).length;
  const late = during.filter((one) => one.ms > ANSWERED_WITHIN_MS).length;
  const slowest = (answers: readonly Answer[]): number => Math.round(Math.max(...answers.map((one) => one.ms)));
  const summary = `creates of others served: ${partOf(before)} before, ${partOf(ofOthers)} meanwhile, the slowest after ${slowest(ofOthers)} ms; ${heldCount} of ${ofHeld.length} of the held merchant were not answered 50300, the slowest after ${slowest(ofHeld)} ms; ${late} answers came late`;
  if (shareServed(ofOthers) < shareServed(before) - MOST_MORE_REFUSED || heldCount > 0 || late > 0)
    throw new Error(summary);
  return summary;
}

/** Creates payins of these merchants until then. Each merchant asks on its own, one request after the other. */
async function askUntil(
  fixture: ChaosHarness,
  until: number,
  merchants: Partial<Record<Answer['whose'], readonly Merchant[]>>,
): Promise<Answer[]> {
  const clients = clientsOf(fixture);
  const answers: Answer[] = [];
  const keepAsking = async (whose: Answer['whose'], { merchantNo, country }: Merchant): Promise<void> => {
    while (Date.now() < until) {
      const began = performance.now();
      const notifyUrl = `${fixture.sandbox.file.receiverUrl}/notify/${merchantNo}`;
      const request = payinRequest[country]?.(`HELD-${Date.now()}-${country}`, '10.00', notifyUrl) ?? {};
      const answer = clients.get(merchantNo)?.post('/payin/create', request);
      const code = answer ? ((await answerOf(answer))?.code ?? null) : null;
      answers.push({ whose, code, ms: performance.now() - began });
      await delay(100);
    }
  };
  const asking = Object.entries(merchants) as [Answer['whose'], readonly Merchant[]][];
  await Promise.all(asking.flatMap(([whose, all]) => all.map((merchant) => keepAsking(whose, merchant))));
  return answers;
}

const isServed = ({ code }: Answer): boolean => code === 0;
const shareServed = (answers: readonly Answer[]): number => answers.filter(isServed).length / answers.length;
const partOf = (answers: readonly Answer[]): string => `${answers.filter(isServed).length} of ${answers.length}`;
