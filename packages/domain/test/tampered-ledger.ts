import { createTestDatabase } from '@tidegate/sandbox/testing';
import type { Order } from '../src/core/order.ts';
import { returnNoOf, settlementNoOf } from '../src/core/settlement.ts';
import type { Domain } from '../src/open-domain.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../src/testing/index.ts';
import { aNewOrder } from '../src/testing/on-paper.ts';
import { aReport, aTopUp, paid, placePayin } from '../src/testing/payins.ts';
import { aCycle } from '../src/testing/settlements.ts';
import { aDraft } from '../src/testing/settlements-on-paper.ts';

/** A ledger with every kind of row, and an attacker who writes to the database with the triggers disabled. */
export interface TamperedLedger extends TestDomain {
  url: string;
  merchants: string[];
  /**
   * Runs `sql` ($name is replaced by that order's number), which has to change rows of `table`. Returns a function that
   * restores them.
   */
  tamper(table: string, sql: string): Promise<() => Promise<void>>;
  /** Runs statements with all triggers off. */
  byHand(...statements: string[]): Promise<void>;
}

export async function openTamperedLedger(): Promise<TamperedLedger> {
  const { url } = await createTestDatabase();
  const fixture = await openTestDomain(url);
  const { domain } = fixture;
  const th = (await aMerchant(domain, 'TH')).merchantId;
  const india = (await aMerchant(domain, 'IN')).merchantId;
  const orders = new Map<string, Order>();
  const of = (name: string): Order => orders.get(name) ?? fail(`no order ${name}`);
  const report = (name: string, answer: Parameters<typeof aReport>[1]) => domain.commit(aReport(of(name), answer));
  for (const name of ['paid', 'again', 'open', 'part', 'late', 'timeout'])
    orders.set(name, await placePayin(domain, th, 'TH', { merchantOrderNo: name }));
  await report('paid', paid());
  await report('again', { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '40.00' }] });
  await report('again', { outcome: 'paid', payments: [{ reference: 'P2', amount: '60.00' }] });
  await report('part', { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '40.00' }] });
  await report('timeout', { outcome: 'timed_out', reason: 'late', payments: [{ reference: 'P1', amount: '10.00' }] });
  await report('late', { outcome: 'failed', reason: 'no' });
  await report('late', paid());
  // Two cases whose money is refunded through the channel: one has arrived, the other one is under way.
  for (const [caseNo, name] of [
    [3, 'back'],
    [4, 'going'],
  ] as const) {
    const order = await placePayin(domain, th, 'TH', { merchantOrderNo: name });
    orders.set(name, order);
    await report(name, { outcome: 'failed', reason: 'no' });
    await report(name, paid());
    const ref = { merchantId: th, caseNo, refundNo: `RF${name.toUpperCase()}` };
    const by = { actor: 'ann', approver: null, reason: 'a test' };
    await domain.commit({ type: 'returnCase', ...ref, orderNo: order.orderNo, by });
    const answer = { outcome: 'refunded', refundRef: 'R-1' } as const;
    if (name === 'back') await domain.commit({ type: 'applyRefund', ...ref, answer, during: 'send' });
  }
  await domain.commit(aTopUp(india, 'B-1', '1000.00'));
  await domain.commit(aTopUp(india, 'B-2', '1000.00'));
  for (const name of ['held', 'settled', 'released']) {
    const numbers = { merchantId: india, orderNo: `PO${name.toUpperCase()}`, merchantOrderNo: name };
    const placed = await domain.commit({ type: 'createPayout', order: aNewOrder('IN', 'payout', numbers) });
    orders.set(name, (placed.ok && placed.order) || fail(`${name} was not placed`));
  }
  await report('settled', paid());
  await report('released', { outcome: 'failed', reason: 'no' });

  const unmatched = { orderNo: 'UNKNOWN', reference: 'U1', amount: '70.00', direction: 'in' } as const;
  await domain.commit({ type: 'bookUnmatched', merchantId: 'PLATFORM-IN', channelId: 'fake', ...unmatched });

  const pk = (await aMerchant(domain, 'PK')).merchantId;
  await domain.commit(aTopUp(pk, 'B-1', '100.00'));
  await addSettlements(domain, pk);

  const { pool } = domain.database;
  const inReplica = async <T>(use: (query: typeof pool.query) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query("set session_replication_role = 'replica'");
      return await use(client.query.bind(client) as typeof pool.query);
    } finally {
      await client.query('reset session_replication_role');
      client.release();
    }
  };
  // Who may switch triggers off may also drop a check.
  await pool.query('alter table transfer drop constraint transfer_cause_check');
  // A bank file without settlements says nothing about any merchant.
  await inReplica((query) =>
    query(`insert into settlement_file (merchant_id, file_no, state, currency, account_id, execution_day, settlements, total, sha256, created_by, debit_line)
      values ('PLATFORM-PK', 'SFPK000001', 'ready', 'PKR', 'A-1', '2026-11-20', 1, 10.00, repeat('0', 64), 'ann', '9/9/0')`),
  );
  return {
    ...fixture,
    url,
    merchants: [th, india, pk, 'PLATFORM-IN'],
    byHand: (...statements) =>
      inReplica(async (query) => {
        for (const statement of statements) await query(statement);
      }),
    tamper: (table, sql) =>
      inReplica(async (query) => {
        const { rows } = await query<{ all: string }>(`select json_agg(t)::text as all from ${table} t`);
        const { rowCount } = await query(sql.replace(/\$([a-z]+)/g, (_, name: string) => `'${of(name).orderNo}'`));
        if (!rowCount) throw new Error(`it changed no row: ${sql}`);
        return () =>
          inReplica(async (again) => {
            await again(`delete from ${table}`);
            const insert = `insert into ${table} select * from json_populate_recordset(null::${table}, $1::json)`;
            await again(insert, [rows[0]?.all]);
          });
      }),
  };
}

/** A settlement that was paid, and one that came back. */
async function addSettlements(domain: Domain, merchantId: string): Promise<void> {
  const accountId = await aCycle(domain, merchantId);
  const { rows } = await domain.database.pool.query<{ tag: string }>(
    'select tag from merchant where merchant_id = $1',
    [merchantId],
  );
  for (const seq of [1, 2]) {
    const settlementNo = settlementNoOf(rows[0]?.tag ?? '', seq);
    const named = { merchantId, seq, settlementNo, by: { actor: 'ann', approver: 'bob', reason: 'a test' } };
    const credited = { amount: '0.00', throughEntryNo: 99 };
    const draft = aDraft({ accountId, amount: '10.00' });
    await domain.commit({ type: 'draftSettlement', ...named, draft });
    const approval = { version: 1, accountId, credited, bookingNo: settlementNo };
    const approved = await domain.commit({ type: 'approveSettlement', ...named, ...approval });
    if (!approved.ok) fail(approved.rejection);
    if (seq === 2) continue;
    const failure = { seen: 'approved', detail: 'closed', bookingNo: returnNoOf(settlementNo) } as const;
    await domain.commit({ type: 'failSettlement', ...named, ...failure });
  }
}

function fail(why: string): never {
  throw new Error(why);
}
