import { createTestDatabase } from '@tidegate/sandbox/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batch, entry, moved, oneBatch, oneRecord, record, set, transfer } from '../../test/forged-rows.ts';
import { createServiceRoles, urlOf } from '../../test/service-roles.ts';
import { audit } from '../audit/audit.ts';
import type { Order } from '../core/order.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { migrateDatabase } from './migrate-database.ts';
import { type DatabaseRole, ledgerRoles, serviceRoles } from './role-grants.ts';

// How much someone can make in all of what one role may write: a cause pays once, a payout is sent once.

let owner: TestDomain;
const pools = new Map<DatabaseRole, pg.Pool>();
let merchantId: string;
let otherId: string;
/** Paid, open and accepted, and of the task market. */
let completed: Order;
let open: Order;
let market: Order;
/** Cases of 100.00 each: of the merchant, and of the platform. */
const caseNo = 1;
const platform = 'PLATFORM-IN';
beforeAll(async () => {
  const { url } = await createTestDatabase();
  owner = await openTestDomain(url);
  const { domain } = owner;
  await createServiceRoles(domain.database.pool);
  await migrateDatabase(url);
  for (const role of [...serviceRoles, ...ledgerRoles])
    pools.set(role, new pg.Pool({ connectionString: urlOf(url, role), max: 1 }));
  ({ merchantId } = await aFundedMerchant(domain, 'IN', '1000.00'));
  ({ merchantId: otherId } = await aFundedMerchant(domain, 'IN', '1000.00'));
  const { merchantId: ofMarket } = await aFundedMerchant(domain, 'PK', '1000.00', 'market');
  completed = await placePayout(domain, merchantId, 'IN');
  open = await placePayout(domain, merchantId, 'IN');
  market = await placePayout(domain, ofMarket, 'PK', { mode: 'market' });
  const payin = await placePayin(domain, merchantId, 'IN');
  await domain.commit(aReport(completed, paid('UTR1')));
  await domain.commit(aReport(open, { outcome: 'accepted', channelRef: 'REF' }));
  await domain.commit(aReport(payin, paid('P1')));
  await domain.commit(aReport(payin, paid('P2')));
  await domain.commit({
    type: 'bookUnmatched',
    merchantId: platform,
    channelId: 'fake',
    orderNo: 'UNKNOWN',
    reference: 'P3',
    amount: '100.00',
    direction: 'in',
  });
});
afterAll(async () => {
  const { violations } = await audit(owner.domain);
  await Promise.all([owner.close(), ...[...pools.values()].map((pool) => pool.end())]);
  expect(violations).toEqual([]);
});

/** A statement about a merchant. */
type Statement = string | { of: string; text: string };

/** Runs the statements as one transaction of the role, up to its end, and takes them back. */
async function attack(role: DatabaseRole, statements: readonly Statement[]): Promise<void> {
  const client = await (pools.get(role) as pg.Pool).connect();
  try {
    await client.query('begin');
    for (const one of statements) {
      const { of, text } = typeof one === 'string' ? { of: merchantId, text: one } : one;
      await client.query(text, text.includes('$1') ? [of] : []);
    }
    await client.query('set constraints all immediate');
  } finally {
    await client.query('rollback');
    client.release();
  }
}

describe('what channels remember', () => {
  const remember = (key: string, isOfOrder = true) =>
    `insert into channel_memory (channel_id, key, value, of_order) values ('fake', '${key}', 'x', ${isOfOrder})`;

  test('the roles for ordinary reads write none of it', async () => {
    for (const role of ['rest', 'api', 'worker', 'audit'] as const)
      await expect(attack(role, [remember('late X')]), role).rejects.toThrow('permission denied');
    for (const role of ledgerRoles) await attack(role, [remember('late X')]);
  });

  test('the REST adapter remembers nothing of refunds, nor for ever', async () => {
    for (const statement of [
      remember('refund result RF1'),
      remember('attempt:refund:RF1:1'),
      remember('beneficiary', false),
    ])
      await expect(attack('rest_ledger', [statement]), statement).rejects.toThrow('nothing but of orders');
    await attack('worker_ledger', [remember('refund RF1', false)]);
  });
});

describe('a payout is sent to its channel, and to no other one', () => {
  const change = ({ orderNo }: Order, changes: string) => `update orders set ${changes} where order_no = '${orderNo}'`;
  const submit = "next_action = 'submit', next_action_at = now()";

  test('what has ended is not sent', async () => {
    for (const role of ledgerRoles)
      await expect(attack(role, [change(completed, submit)]), role).rejects.toThrow(/not sent|is known to have left/);
  });

  test('no channel pays what operators pay', async () => {
    await expect(attack('worker_ledger', [change(market, submit)])).rejects.toThrow('of the mode market, and not sent');
  });

  test.each([
    "channel_id = 'other'",
    "channel_bank_code = 'other'",
    'channel_ref = null',
    "channel_ref = 'other'",
    'attempt = -1',
  ])('it does not change: %s', async (changes) => {
    for (const role of ledgerRoles)
      await expect(attack(role, [change(open, changes)]), role).rejects.toThrow('not sent elsewhere');
  });

  test('it is sent again under its number as long as no money is known to have left', async () => {
    await attack('worker_ledger', [change(open, submit)]);
    const left = `insert into payment (merchant_id, order_no, seq, direction, reference, channel_id, amount, use, received_at, batch_no)
      select merchant_id, order_no, 1, 'out', 'UTR9', channel_id, 1, 'unasked', now(), last_batch_no + 1
      from orders join wallet using (merchant_id) where order_no = '${open.orderNo}'`;
    const poll = change(open, "next_action = 'poll', next_action_at = now()");
    const money = { debit: "'suspense'", credit: "'channel:fake'", cause: "'suspense_out'", amount: '1' };
    const moves = transfer({ ...money, order_no: `'${open.orderNo}'` })();
    const statements = [batch(), moves, poll, left, change(open, submit)];
    await expect(attack('worker_ledger', statements)).rejects.toThrow('is known to have left');
  });
});

/** A booking of 100.00 by the decision about a case, with all that belongs to it. */
const creditOf = (
  to: string,
  { tenant = merchantId, nth = 1, from = 'suspense', no = caseNo, toMerchantId = to } = {},
) => {
  const bookingNo = `CASE/${tenant}/${no}`;
  const amount = '100';
  const of = (text: () => string): Statement => ({ of: to, text: text() });
  const named = tenant === to ? {} : { toMerchantId };
  const detail = { merchantId: tenant, caseNo: no, orderNo: completed.orderNo, ...named, toWallet: true };
  return {
    decision: [of(batch), of(record('creditCase', `case ${no}`, detail))],
    rows: [
      of(
        entry({
          entry_no: `last_entry_no + ${nth}`,
          type: "'ADJUSTMENT'",
          counter: `'${from}'`,
          booking_no: `'${bookingNo}${nth === 1 ? '' : `-${nth}`}'`,
          available_change: amount,
          available_before: `available + ${nth - 1} * 100`,
          available_after: `available + ${nth} * 100`,
        }),
      ),
      of(
        transfer({
          transfer_no: `last_transfer_no + ${nth}`,
          debit: `'${from}'`,
          cause: from === 'suspense' ? "'suspense_credited'" : "'adjustment'",
          amount,
        }),
      ),
    ],
    ends: [of(set(`available = available + 100, ${oneRecord}, ${moved}`))],
  };
};
const endCase = (tenant = merchantId, no = caseNo, state = 'credited') =>
  `update money_case set state = '${state}', closed_at = now() where merchant_id = '${tenant}' and case_no = ${no}`;
const whole = (to: string, options: Parameters<typeof creditOf>[1] = {}): Statement[] => {
  const { decision, rows, ends } = creditOf(to, options);
  return [...decision, ...rows, ...ends];
};
/** The tenant's side of a credit to another merchant. */
const paidOut = (toMerchantId: string): Statement[] => {
  const of = (text: () => string): Statement => ({ of: platform, text: text() });
  const detail = { merchantId: platform, caseNo, orderNo: null, toMerchantId, toWallet: true };
  return [
    of(batch),
    endCase(platform),
    of(record('creditCase', `case ${caseNo}`, detail)),
    of(transfer({ debit: "'suspense'", credit: "'channel:fake'", cause: "'suspense_out'", amount: '100' })),
    of(set(`${oneRecord}, last_transfer_no = last_transfer_no + 1, ${oneBatch}`)),
  ];
};
/** The merchant's side: its suspense gets the money from the channel's account, and pays it to the wallet. */
const takenOver = (to: string, options: { toMerchantId?: string } = {}): Statement[] => {
  const { decision, rows, ends } = creditOf(to, { tenant: platform, ...options });
  const [entered, credited] = rows as [Statement, { of: string; text: string }];
  const into = transfer({ debit: "'channel:fake'", credit: "'suspense'", cause: "'suspense_in'", amount: '100' });
  return [
    ...decision,
    entered,
    { of: to, text: into() },
    { of: to, text: credited.text.replace('last_transfer_no + 1', 'last_transfer_no + 2') },
    ...ends.map((one) => {
      const { of, text } = one as { of: string; text: string };
      return {
        of,
        text: text.replace('last_transfer_no = last_transfer_no + 1', 'last_transfer_no = last_transfer_no + 2'),
      };
    }),
  ];
};

describe('a case pays what it holds, once', () => {
  test('the booking of a case is accepted', async () => {
    await attack('api_ledger', [endCase(), ...whole(merchantId)]);
    await attack('api_ledger', [...paidOut(otherId), ...takenOver(otherId)]);
  });

  test.each<[string, () => Statement[], RegExp]>([
    [
      'to a second merchant',
      () => [endCase(), ...whole(merchantId), ...whole(otherId, { tenant: merchantId })],
      /"are_due": false/,
    ],
    ['out of another account', () => [endCase(), ...whole(merchantId, { from: 'external' })], /"are_due": false/],
    ['while it stays open', () => whole(merchantId), /"are_due": false/],
    [
      'while nobody gets its money',
      () => [endCase(), ...creditOf(merchantId).decision, set(`${oneRecord}, ${oneBatch}`)()],
      /no case or payment explains/,
    ],
    [
      'to two merchants, of the platform',
      () => [...paidOut(otherId), ...takenOver(otherId), ...takenOver(merchantId)],
      /"are_due": false/,
    ],
    [
      'to a merchant that its decision does not name',
      () => [...paidOut(otherId), ...takenOver(merchantId, { toMerchantId: merchantId })],
      /"are_due": false/,
    ],
    [
      'to another merchant, without leaving the platform',
      () => [endCase(platform), ...takenOver(otherId)],
      /"are_due": false/,
    ],
  ])('not %s', async (_, statements, refusal) => {
    await expect(attack('api_ledger', statements())).rejects.toThrow(refusal);
  });

  test.each([
    ['suspense', 'payout_return'],
    ['external', 'adjustment'],
  ])('not twice, as an adjustment and as a return of a payout out of %s', async (debit, cause) => {
    const { decision, rows } = creditOf(merchantId);
    const returned = entry({
      entry_no: 'last_entry_no + 2',
      type: "'PAYOUT_RETURN'",
      order_no: `'${completed.orderNo}'`,
      counter: "'suspense'",
      booking_no: 'null',
      available_change: '100',
      available_before: 'available + 100',
      available_after: 'available + 200',
    });
    const again = transfer({
      transfer_no: 'last_transfer_no + 2',
      debit: `'${debit}'`,
      cause: `'${cause}'`,
      amount: '100',
      order_no: `'${completed.orderNo}'`,
    });
    const twice = moved.replaceAll(/(last_(?:entry|transfer)_no) \+ 1/g, '$1 + 2');
    const ends = set(`available = available + 200, ${oneRecord}, ${twice}`);
    const both = [endCase(), ...decision, ...rows, returned(), again(), ends()];
    await expect(attack('api_ledger', both)).rejects.toThrow('"are_due": false');
  });
});

describe('a transfer without an entry needs its cause, whatever order it names', () => {
  const count = set(`last_transfer_no = last_transfer_no + 1, ${oneBatch}`)();
  const post = (debit: string, credit: string, cause: string): Statement[] => [
    batch(),
    transfer({
      debit: `'${debit}'`,
      credit: `'${credit}'`,
      cause: `'${cause}'`,
      amount: '777',
      order_no: `'${open.orderNo}'`,
    })(),
    count,
  ];

  test.each([
    ['channel:fake', 'external', 'reconciliation'],
    ['suspense', 'written_off:fake', 'reconciliation'],
    ['external', 'channel:fake', 'settlement_paid'],
    ['channel:fake', 'external', 'settlement_returned'],
    ['suspense', 'channel:fake', 'suspense_out'],
    ['channel:fake', 'suspense', 'suspense_in'],
    ['channel:fake', 'suspense', 'payin_part'],
  ])('from %s to %s, as %s', async (debit, credit, cause) => {
    for (const role of ledgerRoles)
      await expect(attack(role, post(debit, credit, cause)), role).rejects.toThrow(
        /are_due": false|are_allowed": false|no case or payment explains|permission denied/,
      );
  });

  test('a posting needs the break that it ends', async () => {
    const posted = transfer({
      debit: "'channel:fake'",
      credit: "'variance:fake'",
      cause: "'reconciliation'",
      amount: '5',
    });
    const statements = (subject: string): Statement[] =>
      [
        batch,
        posted,
        record('resolveBreak', subject),
        set(`last_transfer_no = last_transfer_no + 1, ${oneBatch}, ${oneRecord}`),
      ].map((text) => ({ of: platform, text: text() }));
    const { pool } = owner.domain.database;
    const breakOf = (no: number, amount: string) =>
      `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount)
       values ('${platform}', ${no}, 'fake', '2026-11-20', 'line 1/1/${no}', 'amount', ${amount})`;
    for (const [no, amount] of [
      [1, '5'],
      [2, '4.99'],
    ] as const)
      await pool.query(breakOf(no, amount));
    const end = (no: number) =>
      `update reconciliation_break set state = 'posted', account = 'variance:fake', decided_at = now(), closed_at = now() where break_no = ${no}`;
    await attack('api_ledger', [end(1), ...statements('break 1')]);
    for (const refused of [
      [...statements('break 1')],
      [end(2), ...statements('break 2')],
      [end(1), ...statements('x')],
    ])
      await expect(attack('api_ledger', refused)).rejects.toThrow('are_due": false');
  });
});

describe('what is taken back is taken back once', () => {
  const reversal = (no: string, reverses: string, counter = 'external') =>
    [
      batch,
      entry({
        type: "'ADJUSTMENT'",
        counter: `'${counter}'`,
        booking_no: `'${no}'`,
        available_change: '-1000',
        available_after: 'available - 1000',
      }),
      transfer({ debit: "'available'", credit: `'${counter}'`, cause: "'adjustment'", amount: '1000' }),
      record('reverseBooking', no, { reverses }),
      set(`available = available - 1000, ${oneRecord}, ${moved}`),
    ].map((text) => ({ of: otherId, text: text() }));

  test('a booking: under its own number, against the same account', async () => {
    const { rows } = await owner.domain.database.pool.query<{ no: string }>(
      "select booking_no as no from wallet_entry where merchant_id = $1 and type = 'TOP_UP'",
      [otherId],
    );
    const no = rows[0]?.no ?? '';
    await attack('api_ledger', reversal(`REVERSAL/${no}`, no));
    for (const refused of [reversal('OTHER', no), reversal(`REVERSAL/${no}`, no, 'dispute')])
      await expect(attack('api_ledger', refused)).rejects.toThrow('"are_due": false');
  });

  test('a refund returns what its case holds, by its channel, and somebody decided it', async () => {
    const refund = (amount: string, no = caseNo) =>
      `insert into refund (merchant_id, refund_no, case_no, channel_id, order_no, reference, currency, amount, reason, state, next_action, next_action_at,
         attempt, sends, created_at, updated_at)
       select merchant_id, 'RFEVE', ${no}, channel_id, order_no, reference, currency, ${amount}, 'x', 'requested', 'send', now(), 0, 0,
         now(), now() from money_case where merchant_id = $1 and case_no = ${caseNo}`;
    const reserve = `update money_case set refund_no = 'RFEVE' where merchant_id = $1 and case_no = ${caseNo}`;
    const decided = [record('returnCase', `case ${caseNo}`, { caseNo })(), set(`${oneRecord}, ${oneBatch}`)()];
    await attack('api_ledger', [refund('amount'), reserve, ...decided]);
    await expect(attack('api_ledger', [refund('amount'), reserve])).rejects.toThrow('nobody decided');
    for (const refused of [[refund('5000000'), reserve, ...decided], [refund('amount')], [refund('amount', 99)]])
      await expect(attack('api_ledger', refused)).rejects.toThrow('not what its case holds');
    const again =
      "update refund set state = 'failed', next_action = null, next_action_at = null, ended_at = now() where refund_no = 'RFEVE'";
    const requested =
      "update refund set state = 'requested', ended_at = null, next_action = 'send', next_action_at = now() where refund_no = 'RFEVE'";
    await expect(attack('api_ledger', [refund('amount'), reserve, ...decided, again, requested])).rejects.toThrow(
      'cannot become',
    );
  });
});
