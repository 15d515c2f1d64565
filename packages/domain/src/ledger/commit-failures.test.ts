import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { orderRules } from '../countries/index.ts';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aCreate, aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { openLedgerWriter, type WriterOptions } from './writer.ts';

// The ledger writer when the database, or the way to it, fails.

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const lost = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** A ledger writer on a pool whose connections do to each statement what `meddle` says, after or instead of the database. */
function writerOn(
  meddle: (text: string, run: () => Promise<unknown>) => Promise<unknown>,
  changes: Partial<WriterOptions> = {},
): ReturnType<typeof openLedgerWriter> & { batches: number[] } {
  const batches: number[] = [];
  const pool = {
    connect: async () => {
      const client = await fixture.domain.database.pool.connect();
      const query = (config: string | { text: string }) =>
        meddle(typeof config === 'string' ? config : config.text, () => client.query(config));
      return { query, release: (broken: boolean) => client.release(broken) };
    },
  } as unknown as pg.Pool;
  const options = { batchesAtOnce: 1, batchSize: 100, queueLimit: 1_000, scheduleScale: 1, committed: () => undefined };
  const writer = openLedgerWriter({
    pool,
    sql: fixture.domain.sql,
    rules: orderRules,
    ...options,
    ...changes,
    observed: ({ size }) => batches.push(size),
  });
  return { ...writer, batches };
}

/** Lets the first `times` commits through, and loses the connection before their answer. */
function losingCommits(times: number): Parameters<typeof writerOn>[0] {
  let failuresLeft = times;
  return async (text, run) => {
    const result = await run();
    if (text !== 'commit' || failuresLeft-- <= 0) return result;
    throw lost();
  };
}

test('commands whose commit’s answer was lost are sent again, and take effect once', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'TH');
  const order = await placePayin(domain, merchantId, 'TH');
  const short = await placePayin(domain, merchantId, 'TH');
  const create = aCreate(merchantId, 'TH');
  const writer = writerOn(losingCommits(2));
  const half = { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '40.00' }] } as const;
  const results = await Promise.all([
    writer.commit(create),
    writer.commit(aReport(order, paid())),
    writer.commit(aReport(short, { ...half, payments: [...half.payments] })),
    writer.commit(aTopUp(merchantId, 'B', '7.00')),
    writer.commit({
      type: 'bookUnmatched',
      direction: 'in',
      merchantId: 'PLATFORM-TH',
      channelId: 'fake',
      orderNo: 'X',
      reference: 'R',
      amount: '3.00',
    }),
    writer.commit(aCreate(merchantId, 'TH', { merchantOrderNo: create.order.merchantOrderNo })),
  ]);
  expect(results.map((result) => (result.ok ? 'done' : result.rejection))).toEqual([
    'done',
    'done',
    'done',
    'done',
    'done',
    'merchant_order_no_exists',
  ]);
  expect(await orderNow(domain, create.order)).toMatchObject({ status: 'created', nextAction: 'submit' });
  expect(await orderNow(domain, order)).toMatchObject({ status: 'completed' });
  expect(await orderNow(domain, short)).toMatchObject({ status: 'partial_paid', paidAmount: '40.00' });
  const { rows } = await domain.database.pool.query(
    `select available, last_entry_no, (select count(*) from orders o where o.merchant_id = w.merchant_id)::integer as orders,
       (select count(*) from money_case where merchant_id = 'PLATFORM-TH')::integer as unmatched
     from wallet w where merchant_id = $1`,
    [merchantId],
  );
  expect(rows).toEqual([{ available: '104.50', last_entry_no: '2', orders: 3, unmatched: 1 }]);
  expect((await audit(domain)).violations).toEqual([]);
});

test('a command whose connection breaks before the commit leaves nothing behind, and is tried again', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  let breaks = 2;
  const writer = writerOn(async (text, run) => {
    if (text.startsWith('insert into transfer') && breaks-- > 0) {
      await run().catch(() => undefined);
      throw lost();
    }
    // What was sent behind it never arrives.
    return text === 'commit' && breaks >= 0 ? Promise.reject(lost()) : run();
  });
  const order = await placePayin(domain, merchantId, 'CN');
  breaks = 1;
  expect(await writer.commit(aReport(order, paid()))).toMatchObject({ ok: true, order: { status: 'completed' } });
  expect((await audit(domain)).violations).toEqual([]);
});

test('a database that stays unavailable makes commands unavailable, not wrong', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const writer = writerOn(() => Promise.reject(lost()));
  const commands = [aCreate(merchantId, 'CN'), aCreate(merchantId, 'CN')];
  const results = await Promise.allSettled(commands.map((command) => writer.commit(command)));
  for (const result of results)
    expect(result).toMatchObject({ status: 'rejected', reason: expect.any(LedgerUnavailable) });
  const again = writerOn((_, run) => run());
  expect(await again.commit(commands[0] ?? aCreate(merchantId, 'CN'))).toMatchObject({ ok: true });
});

test('commands that arrive during a transaction share the next one, up to the batch size', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const writer = writerOn((_, run) => run(), { batchSize: 4 });
  await Promise.all(Array.from({ length: 10 }, () => writer.commit(aCreate(merchantId, 'CN'))));
  expect(writer.batches).toEqual([4, 4, 2]);
});

test('if the database refuses a batch, its commands are tried one by one: only the bad command fails, with the error reported', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const reported: unknown[] = [];
  const failed = (error: unknown, size: number): void => void reported.push([(error as { code?: string }).code, size]);
  const writer = writerOn((_, run) => run(), { failed });
  const orders = ['A', 'B\0', 'C'].map((merchantOrderNo) => aCreate(merchantId, 'CN', { merchantOrderNo }));
  const results = await Promise.allSettled(orders.map((order) => writer.commit(order)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(reported).toEqual([['22021', 3]]);
  expect(writer.batches).toEqual([1, 1]);
});

test('commands above the queue limit are refused at once', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const writer = writerOn((_, run) => run(), { queueLimit: 3 });
  const topUps = Array.from({ length: 5 }, (_, i) => aTopUp(merchantId, `FULL-${i}`));
  const results = await Promise.allSettled(topUps.map((topUp) => writer.commit(topUp)));
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(results[4]).toMatchObject({ reason: expect.any(LedgerUnavailable) });
});

test('draining waits for all commands', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const writer = writerOn((_, run) => run(), { batchSize: 1 });
  let done = 0;
  const all = Array.from({ length: 5 }, () => writer.commit(aCreate(merchantId, 'CN')).then(() => (done += 1)));
  await writer.drain();
  await Promise.resolve();
  expect(done).toBe(5);
  await Promise.all(all);
  await writer.drain();
});

test('an idle connection that the server closes does not end the process, and the next command uses another connection', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  await domain.database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  expect(await domain.commit(aCreate(merchantId, 'CN'))).toMatchObject({ ok: true });
});
