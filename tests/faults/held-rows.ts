import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../packages/sandbox/src/wait-until.ts';
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
/** A busy machine may refuse some. When all in a writer shard had to wait, it was every second one. */
const MIN_SERVED = 0.6;

/** Holds one merchant's wallet for so long; creates of all other merchants are answered meanwhile, those of this one in bounded time. */
export async function holdWallet(fixture: ChaosHarness, country: string, ms: number): Promise<string> {
  const merchants = fixture.sandbox.file.merchants.filter(
    (one, i, all) => all.findIndex((other) => other.country === one.country) === i,
  );
  const held = merchants.find((one) => one.country === country);
  const others = merchants.filter((one) => one !== held);
  if (!held || others.length < 3) throw new Error('the sandbox has not the merchants that are wanted');
  const clients = clientsOf(fixture);
  let calls = 0;
  const create = async ({ merchantNo, country }: typeof held): Promise<{ code: number | null; ms: number }> => {
    calls += 1;
    const began = performance.now();
    const notifyUrl = `${fixture.sandbox.file.receiverUrl}/notify/${merchantNo}`;
    const request = payinRequest[country]?.(`HELD-${Date.now()}-${calls}`, '10.00', notifyUrl) ?? {};
    const answer = clients.get(merchantNo)?.post('/payin/create', request);
    const code = answer ? ((await answerOf(answer))?.code ?? null) : null;
    return { code, ms: performance.now() - began };
  };
  const seen: { whose: 'held' | 'other'; code: number | null; ms: number }[] = [];
  await fixture.ask(async ({ database }) => {
    const session = await database.pool.connect();
    try {
      await session.query('begin; set local idle_in_transaction_session_timeout = 0');
      await session.query('select from wallet where merchant_id = $1 for update', [held.merchantNo]);
      const until = Date.now() + ms;
      // Each merchant asks on its own: the others have many answers, and one stall of the machine refuses few of them.
      const keepAsking = async (whose: 'held' | 'other', merchant: typeof held): Promise<void> => {
        while (Date.now() < until) {
          seen.push({ whose, ...(await create(merchant)) });
          await delay(100);
        }
      };
      await Promise.all([keepAsking('held', held), ...others.map((one) => keepAsking('other', one))]);
    } finally {
      await session.query('rollback').finally(() => session.release());
    }
  });
  const of = (whose: 'held' | 'other') => seen.filter((one) => one.whose === whose);
  const served = of('other').filter(({ code }) => code === 0).length;
  const late = seen.filter((one) => one.ms > ANSWERED_WITHIN_MS).length;
  const heldCount = of('held').filter(({ code }) => code !== 50300).length;
  const summary = `${served} of ${of('other').length} creates of others were served; ${heldCount} of ${of('held').length} of the held merchant were not answered 50300; ${late} answers came late`;
  if (served < of('other').length * MIN_SERVED || heldCount > 0 || late > 0) throw new Error(summary);
  const slowest = (whose: 'held' | 'other'): number => Math.round(Math.max(...of(whose).map((one) => one.ms)));
  return `${summary}; the slowest of others ${slowest('other')} ms, of the held merchant ${slowest('held')} ms`;
}
