import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { createMerchant } from '../configuration/create-merchant.ts';
import { openTestDomain, type TestDomain, takeKeyPair } from '../testing/index.ts';
import { aTopUp } from '../testing/payins.ts';
import { waitFor } from '../testing/wait-for.ts';

// Processes that are paused or killed within their transaction, while they hold wallets.

const script = fileURLToPath(new URL('../../test/stopped-writer.ts', import.meta.url));
/** Paused before it has written anything, and when all is written but not committed. */
const moments = ['insert', 'commit'];

let url: string;
let other: TestDomain;
beforeAll(async () => {
  ({ url } = await createTestDatabase());
  other = await openTestDomain(url);
});
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => other.close());

let merchantCount = 0;
async function aWallet(): Promise<string> {
  merchantCount += 1;
  const merchantId = `STOPPED-${merchantCount}`;
  await createMerchant(other.domain, { merchantId, name: 'Stopped', country: 'IN' }, takeKeyPair());
  return merchantId;
}

function start(merchantId: string, signal: 'SIGSTOP' | 'SIGKILL', at: string): ChildProcess {
  const child = fork(script, [url, merchantId, 'ITS-OWN', signal, at]);
  children.push(child);
  return child;
}

const ask = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await other.domain.database.pool.query<Row>(text, values)).rows;

/** The server's processes of sessions that are within a transaction and silent. */
const silentSessions = async (): Promise<number[]> =>
  (
    await ask<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    )
  ).map(({ pid }) => pid);

/** Waits until the process is paused, and the server has done all that it was sent. */
async function sessionOfPaused(child: ChildProcess): Promise<number> {
  // It has to start first, which takes seconds on a busy machine.
  while (!/ T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))) await sleep(5);
  const [pid] = await waitFor('its session is silent', async () => {
    const silent = await silentSessions();
    return silent.length > 0 && silent;
  });
  return pid ?? 0;
}

/** Resolves when the server ends a session that is silent for a second from now. */
async function aSecondOfSilence(): Promise<{ ended: Promise<unknown> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ended = once(client, 'error');
  client.on('error', () => undefined);
  await client.query('begin; set local idle_in_transaction_session_timeout = 1000');
  return { ended };
}

const entriesOf = (merchantId: string) =>
  ask<{ booking_no: string; entry_no: string }>(
    'select booking_no, entry_no from wallet_entry where merchant_id = $1 order by entry_no',
    [merchantId],
  );

test.each(moments)(
  'a process that is paused before its first %s loses its lock of the merchant within a second, and continues when it wakes up',
  async (at) => {
    const merchantId = await aWallet();
    const child = start(merchantId, 'SIGSTOP', at);
    const session = await sessionOfPaused(child);
    const second = await aSecondOfSilence();
    const booked = other.domain.commit(aTopUp(merchantId, 'OF-ANOTHER', '1.00'));
    // Both are timers of the same server, so a busy machine delays them alike.
    const first = await Promise.race([booked.then(() => 'booked'), second.ended.then(() => 'a second is over')]);
    expect(first).toBe('booked');
    expect(await booked).toMatchObject({ ok: true });
    expect(await silentSessions()).not.toContain(session);
    // Longer than a database that hangs is asked again.
    await second.ended;
    const report = once(child, 'message');
    child.kill('SIGCONT');
    // In a new transaction, decided on what was written meanwhile.
    expect(await report).toEqual(['booked', undefined]);
    expect(await other.domain.commit(aTopUp(merchantId, 'ITS-OWN', '5.00'))).toMatchObject({ ok: true });
    expect(await entriesOf(merchantId)).toEqual([
      { booking_no: 'OF-ANOTHER', entry_no: '1' },
      { booking_no: 'ITS-OWN', entry_no: '2' },
    ]);
  },
);

test('a process that is killed within its transaction loses its lock of the merchant at once', async () => {
  const merchantId = await aWallet();
  const child = start(merchantId, 'SIGKILL', 'commit');
  await once(child, 'exit');
  expect(await other.domain.commit(aTopUp(merchantId, 'OF-ANOTHER', '1.00'))).toMatchObject({ ok: true });
  expect((await entriesOf(merchantId)).map(({ booking_no }) => booking_no)).toEqual(['OF-ANOTHER']);
});

test('after all of this the audit finds nothing', async () => {
  expect((await audit(other.domain)).violations).toEqual([]);
});
