import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeByHand } from '../../test/by-hand.ts';
import { batch, entry, moved, oneBatch, oneRecord, record, set, transfer, zeros } from '../../test/forged-rows.ts';
import { createServiceRoles, ledgerOf, urlOf } from '../../test/service-roles.ts';
import { audit } from '../audit/audit.ts';
import type { Order } from '../core/order.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { migrateDatabase } from './migrate-database.ts';
import { type DatabaseRole, ledgerRoles, serviceRoles } from './role-grants.ts';

// What someone can write who has the connection of a process: forged money, with each role.

let owner: TestDomain;
const pools = new Map<DatabaseRole, pg.Pool>();
let merchantId: string;
/** A payin that is not paid, a payout whose money is frozen. */
let payin: Order;
let payout: Order;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  owner = await openTestDomain(url);
  await createServiceRoles(owner.domain.database.pool);
  await migrateDatabase(url);
  for (const role of [...serviceRoles, ...ledgerRoles])
    pools.set(role, new pg.Pool({ connectionString: urlOf(url, role), max: 1 }));
  const rest = await openTestDomain(urlOf(url, 'rest'), { hasChannel: true, ...ledgerOf(url, 'rest') });
  ({ merchantId } = await aFundedMerchant(owner.domain, 'IN', '1000.00'));
  payin = await placePayin(rest.domain, merchantId, 'IN');
  payout = await placePayout(rest.domain, merchantId, 'IN');
  const paidPayin = await placePayin(rest.domain, merchantId, 'IN');
  expect(await rest.domain.commit(aReport(paidPayin, paid()))).toMatchObject({ ok: true });
  await rest.close();
});
afterAll(async () => {
  // No attack has left anything.
  const { violations } = await audit(owner.domain);
  await Promise.all([owner.close(), ...[...pools.values()].map((pool) => pool.end())]);
  expect(violations).toEqual([]);
});

const valuesOf = (statement: string): string[] => (statement.includes('$1') ? [merchantId] : []);

/** Runs the statements as one transaction of the role. */
async function attack(role: DatabaseRole, statements: readonly string[]): Promise<void> {
  const client = await (pools.get(role) as pg.Pool).connect();
  try {
    for (const statement of ['begin', ...statements, 'commit']) await client.query(statement, valuesOf(statement));
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const ofPayin = { type: "'PAYIN'", order_no: () => `'${payin.orderNo}'` };
const asPayin = () =>
  entry({
    type: ofPayin.type,
    order_no: ofPayin.order_no(),
    booking_no: 'null',
    available_change: payin.netAmount,
    available_after: `available + ${payin.netAmount}`,
  })();
const payinTransfer = () =>
  transfer({ debit: "'channel:fake'", cause: "'payin'", amount: payin.netAmount, order_no: ofPayin.order_no() })();

type Attack = [what: string, statements: readonly (() => string)[]];

/** Refused to every role, and to the owner as long as the triggers are on. */
const forged: Attack[] = [
  ['more available', [set('available = available + 5000000')]],
  ['more available, less frozen', [set('available = available + 1, frozen = frozen - 1')]],
  ['the wallet counts an entry that is not there', [set('last_entry_no = last_entry_no + 1')]],
  ['the wallet counts a transfer that is not there', [set('last_transfer_no = last_transfer_no + 1')]],
  ['the wallet forgets an entry', [set('last_entry_no = last_entry_no - 1')]],
  ['another currency', [set("currency = 'CNY'")]],
  ['another hash of the last link', [set(`last_batch_hash = '${zeros}'`)]],
  ['a time before the last row', [set(`recorded_at = '1970-01-01'`)]],
  [
    'a transfer in another currency',
    [batch, entry(), transfer({ currency: "'USD'" }), set(`available = available + 5000, ${moved}`)],
  ],
  ['an entry that the wallet does not count', [entry()]],
  ['a transfer that the wallet does not count', [transfer()]],
  [
    'an entry without a transfer',
    [
      batch,
      entry(),
      set(`available = available + 5000, ${moved.replace('last_transfer_no = last_transfer_no + 1, ', '')}`),
    ],
  ],
  [
    'a transfer without an entry',
    [
      batch,
      transfer(),
      set(`available = available + 5000, ${moved.replace('last_entry_no = last_entry_no + 1, ', '')}`),
    ],
  ],
  [
    'an entry that begins with more than there is',
    [
      batch,
      entry({ available_before: 'available + 9000', available_after: 'available + 14000' }),
      transfer(),
      set(`available = available + 14000, ${moved}`),
    ],
  ],
  [
    'an entry after a gap',
    [
      batch,
      entry({ entry_no: 'last_entry_no + 2' }),
      transfer(),
      set(
        `available = available + 5000, ${moved}, last_entry_no = 9`.replace('last_entry_no = last_entry_no + 1, ', ''),
      ),
    ],
  ],
  [
    'a transfer of less than its entry',
    [batch, entry(), transfer({ amount: '1' }), set(`available = available + 5000, ${moved}`)],
  ],
  ['a wallet with more than its entry', [batch, entry(), transfer(), set(`available = available + 6000, ${moved}`)]],
  ['a top-up that nobody recorded', [batch, entry(), transfer(), set(`available = available + 5000, ${moved}`)]],
  [
    'a transfer of no link of the chain',
    [entry(), transfer({ batch_no: 'null' }), set(`available = available + 5000, ${moved}`)],
  ],
  ['a payin that is not completed', [batch, asPayin, payinTransfer, set(`available = available + 97.5, ${moved}`)]],
  [
    'a payin of no order',
    [
      batch,
      entry({ type: "'PAYIN'", order_no: "'PI0NOWHERE'", booking_no: 'null' }),
      transfer({ debit: "'channel:fake'", cause: "'payin'", order_no: "'PI0NOWHERE'" }),
      set(`available = available + 5000, ${moved}`),
    ],
  ],
  [
    'a release of a payout that goes on',
    [
      batch,
      () =>
        entry({
          type: "'PAYOUT_RELEASE'",
          order_no: `'${payout.orderNo}'`,
          booking_no: 'null',
          available_change: payout.netAmount,
          frozen_change: `-${payout.netAmount}`,
          available_after: `available + ${payout.netAmount}`,
          frozen_after: `frozen - ${payout.netAmount}`,
        })(),
      () =>
        transfer({
          debit: "'frozen'",
          cause: "'payout_release'",
          amount: payout.netAmount,
          order_no: `'${payout.orderNo}'`,
        })(),
      () => set(`available = available + ${payout.netAmount}, frozen = frozen - ${payout.netAmount}, ${moved}`)(),
    ],
  ],
  [
    'an entry of another link of the chain',
    [batch, entry({ batch_no: 'last_batch_no' }), transfer(), set(`available = available + 5000, ${moved}`)],
  ],
  ['a transfer of another cause', [transfer({ cause: "'payin'" })]],
  ['money of the bank in suspense', [transfer({ credit: "'suspense'", cause: "'suspense_in'" })]],
  ['entries deleted', [() => 'delete from wallet_entry']],
  ['entries truncated', [() => 'truncate wallet_entry cascade']],
  ['transfers changed', [() => 'update transfer set amount = amount + 1']],
];

test.each(
  forged.flatMap(([what, statements]) => [...serviceRoles, ...ledgerRoles].map((role) => ({ what, role, statements }))),
)('$role cannot write: $what', async ({ role, statements }) => {
  await expect(
    attack(
      role,
      statements.map((one) => one()),
    ),
  ).rejects.toThrow(/permission denied|wallet of|does not count it|violates check|append-only|must be owner/);
});

test.each(forged)('the owner does not write it by mistake either: %s', async (_, statements) => {
  const { pool } = owner.domain.database;
  const client = await pool.connect();
  try {
    const run = async () => {
      for (const statement of ['begin', ...statements.map((one) => one()), 'commit'])
        await client.query(statement, valuesOf(statement));
    };
    await expect(run()).rejects.toThrow(/wallet of|does not count it|violates check|append-only/);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

/** A booking with all that belongs to it: what only the right to book can refuse. */
const booking = (type: string, debit: string, credit: string, cause: string, sign: 1 | -1): (() => string)[] => [
  batch,
  entry({
    type: `'${type}'`,
    available_change: `${sign} * 5`,
    available_after: `available + ${sign} * 5`,
    booking_no: `'F-${type}'`,
  }),
  transfer({ debit: `'${debit}'`, credit: `'${credit}'`, cause: `'${cause}'`, amount: '5' }),
  record('bookWallet', `F-${type}`, { entry: type, amount: `${sign * 5}.00` }),
  set(`available = available + ${sign} * 5, ${oneRecord}, ${moved}`),
];
const bookings = {
  TOP_UP: booking('TOP_UP', 'external', 'available', 'top_up', 1),
  SETTLEMENT: booking('SETTLEMENT', 'available', 'external', 'settlement', -1),
  ADJUSTMENT: booking('ADJUSTMENT', 'external', 'available', 'adjustment', 1),
} as const;

test.each([
  ['rest_ledger', 'TOP_UP'],
  ['rest_ledger', 'SETTLEMENT'],
  ['rest_ledger', 'ADJUSTMENT'],
  ['worker_ledger', 'TOP_UP'],
  ['worker_ledger', 'SETTLEMENT'],
  ['worker_ledger', 'ADJUSTMENT'],
] as const)('%s never books a %s, even with all rows that belong to it', async (role, type) => {
  await expect(
    attack(
      role,
      bookings[type].map((one) => one()),
    ),
  ).rejects.toThrow(/are_allowed": false|permission denied for table audit_record|never records/);
});

/** Runs the statements with the role of the API for the ledger, up to the end of the transaction, and takes them back. */
async function tryAsApi(statements: readonly (() => string)[]): Promise<void> {
  const client = await (pools.get('api_ledger') as pg.Pool).connect();
  try {
    await client.query('begin');
    for (const statement of statements) await client.query(statement(), valuesOf(statement()));
    await client.query('set constraints all immediate');
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('the same rows are accepted from the role of the API, so the refusals above are of the right to book', async () => {
  await tryAsApi(bookings.TOP_UP);
  await tryAsApi(bookings.ADJUSTMENT);
});

const without = (index: number, changed: (() => string)[] = []) => bookings.ADJUSTMENT.toSpliced(index, 1, ...changed);
const recordAt = 3;
test.each<[string, (() => string)[]]>([
  ['no record, although the wallet counts one', without(recordAt)],
  [
    'a record of another amount',
    without(recordAt, [record('bookWallet', 'F-ADJUSTMENT', { entry: 'ADJUSTMENT', amount: '4.00' })]),
  ],
  [
    'a record of another booking',
    without(recordAt, [record('bookWallet', 'F-OTHER', { entry: 'ADJUSTMENT', amount: '5.00' })]),
  ],
  [
    'a record of another kind',
    without(recordAt, [record('bookWallet', 'F-ADJUSTMENT', { entry: 'TOP_UP', amount: '5.00' })]),
  ],
  [
    'a record of something else',
    without(recordAt, [record('addNote', 'F-ADJUSTMENT', { entry: 'ADJUSTMENT', amount: '5.00' })]),
  ],
  ['a reversal of no booking', without(recordAt, [record('reverseBooking', 'F-ADJUSTMENT', { reverses: 'NONE' })])],
  [
    'a decision about a case that is of another booking',
    without(recordAt, [record('creditCase', 'case 1', { caseNo: 1 })]),
  ],
  ['a decision about no case', without(recordAt, [record('creditCase', 'case 1', { merchantId: 'x', caseNo: 1 })])],
])('an adjustment needs its own cause, not: %s', async (_, statements) => {
  await expect(tryAsApi(statements)).rejects.toThrow(/"are_due": false/);
});

test.each<[string, () => string]>([
  ['a number of a batch', set('last_batch_no = last_batch_no + 2')],
  ['a number of a batch for ever', set('last_batch_no = 9000000000000000000')],
  ['a number of a record', set(`last_audit_no = last_audit_no + 100000`)],
  ['a number of a case', set('last_case_no = last_case_no + 100000')],
  ['the time of its last row', set("recorded_at = now() + interval '1 day'")],
  ['the time of its balance', set("updated_at = now() + interval '1 day'")],
  ['what is withheld', set('withheld = 1')],
])('no role for the ledger moves further than what is written: %s', async (_, statement) => {
  for (const role of ledgerRoles)
    await expect(attack(role, [statement()]), role).rejects.toThrow(/times only go on|has not come yet|another amount/);
});

test.each<[string, string[]]>([
  ['switch triggers off', ['alter table wallet disable trigger all']],
  ['skip triggers', ["set session_replication_role = 'replica'"]],
  ['become another role for the ledger', ['set role tidegate_api_ledger']],
  ['become the owner', ['set session authorization tidegate_owner']],
  ['put a temporary table before one of ours', ['create temporary table transition_rule (a integer)']],
  ['stop the payouts of a merchant', ["insert into payout_stop (merchant_id, finding_no) values ('x', 1)"]],
  ['remove a stop', ['delete from payout_stop']],
  [
    'replace a check',
    ["create or replace function refuse_forged_wallets() returns trigger language plpgsql as 'begin return null; end'"],
  ],
])('no role of the REST adapter may %s', async (_, statements) => {
  for (const role of ['rest', 'rest_ledger'] as const)
    await expect(attack(role, statements)).rejects.toThrow(/permission denied|must be owner|does not exist/);
});

test.each(['api_ledger', 'worker_ledger'] as const)('the role %s records nothing outside the chain', async (role) => {
  const counted = set(`${oneRecord}, ${oneBatch}`)();
  const of = (batchNo: string, auditNo = 'last_audit_no + 1') =>
    `insert into audit_record (merchant_id, audit_no, actor, action, subject, reason, detail, at, batch_no)
      select merchant_id, ${auditNo}, 'eve', 'draftSettlement', 'x', 'x', '{}', now(), ${batchNo} from wallet where merchant_id = $1`;
  const next = of('last_batch_no + 1');
  for (const steps of [
    [next],
    [batch(), of('last_batch_no'), counted],
    [batch(), of('last_batch_no + 1', 'last_audit_no + 2'), counted],
    [batch(), next],
    [batch(), next, set(oneBatch)()],
    [batch(), counted, next],
  ])
    await expect(attack(role, steps), steps.join('; ')).rejects.toThrow('its wallet does not count it');
});

test.each(ledgerRoles)('the role %s writes no link whose hash the wallet does not keep', async (role) => {
  const counted = set("last_batch_no = last_batch_no + 1, last_batch_hash = repeat('1', 64)");
  await expect(attack(role, [batch(), counted()])).rejects.toThrow('its wallet does not count it');
});

test.each(ledgerRoles)('the role %s does not take the reference of a payment that has not come', async (role) => {
  const taken = (
    batchNo: string,
    seq = 1,
  ) => `insert into payment (merchant_id, order_no, seq, direction, channel_id, reference, amount, use, received_at, batch_no)
    select o.merchant_id, o.order_no, ${seq}, 'in', o.channel_id, 'to come', o.amount, 'credited', now(), ${batchNo}
    from orders o join wallet w on w.merchant_id = o.merchant_id where o.order_no = '${payin.orderNo}'`;
  for (const batchNo of ['w.last_batch_no', `w.last_batch_no + 1`])
    await expect(attack(role, [taken(batchNo)]), batchNo).rejects.toThrow('its wallet does not count it');
  // A number far ahead would be the last one of its order.
  await expect(attack(role, [batch(), taken(`w.last_batch_no + 1`, 9)])).rejects.toThrow(
    'does not follow the one before',
  );
  // With a batch that moves nothing.
  const next = taken(`w.last_batch_no + 1`);
  for (const steps of [
    [batch(), next],
    [batch(), next, set(oneBatch)()],
  ])
    await expect(attack(role, steps)).rejects.toThrow('its batch does not move its money');
});

test.each(serviceRoles)('the role %s of ordinary reads can write no table of the ledger', async (role) => {
  const tables = [
    'orders',
    'order_transition',
    'payment',
    'wallet',
    'wallet_entry',
    'transfer',
    'money_case',
    'refund',
    'ledger_batch',
    'settlement',
    'audit_record',
    'payout_stop',
    'approval',
  ];
  const { rows } = await owner.domain.database.pool.query(
    `select t as name, p as privilege from unnest($1::text[]) t, unnest(array['insert', 'update', 'delete', 'truncate']) p
     where has_table_privilege($2, t, p) or (p in ('insert', 'update') and has_any_column_privilege($2, t, p))`,
    [tables, `tidegate_${role}`],
  );
  expect(rows).toEqual([]);
});

test('an owner may repair a wallet: it becomes what its last entry left, and nothing else', async () => {
  const { pool } = owner.domain.database;
  await changeByHand(pool, 'update wallet set available = available + 7 where merchant_id = $1', [merchantId]);
  await expect(pool.query(set('available = available - 6')(), [merchantId])).rejects.toThrow(
    'it is not its last entry',
  );
  expect((await pool.query(set('available = available - 7')(), [merchantId])).rowCount).toBe(1);
});
