import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Command } from '../core/commands.ts';
import type { Order } from '../core/order.ts';
import type { RefundAnswer } from '../core/refund-answer.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { checkOrders } from './order-rules.ts';
import { inSnapshot } from './snapshot.ts';

// What an order moved with its channels, held against what was reported: however it came about, also by releases that kept less of it.

const rules = [
  'a payin moves exactly what its payments brought',
  'a payout moves with its channels exactly what was reported',
];
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

type Step = ChannelAnswer | ((order: Order) => Command);
const returned = (amount: string): ChannelAnswer => ({
  outcome: 'returned',
  reason: 'closed account',
  payments: [],
  returned: { reference: 'B1', amount },
});
const resolve = (order: Order): Command => {
  const { merchantId, orderNo } = order;
  const decided = { outcome: 'paid', evidence: 'statement 7', by: by('ann', 'bob') } as const;
  return { type: 'resolvePayout', ref: { merchantId, orderNo }, ...decided };
};
const returnCase =
  (caseNo: number, refundNo?: string) =>
  ({ merchantId, orderNo }: Order): Command => ({
    type: 'returnCase',
    merchantId,
    caseNo,
    orderNo,
    by: by('ann'),
    ...(refundNo !== undefined && { refundNo }),
  });
const refund =
  (caseNo: number, answer: RefundAnswer) =>
  ({ merchantId }: Order): Command => ({
    type: 'applyRefund',
    merchantId,
    caseNo,
    refundNo: 'RF1',
    answer,
    during: 'query',
  });
const noRefund: RefundAnswer = { outcome: 'failed', reason: 'no' };
const refunded: RefundAnswer = { outcome: 'refunded', refundRef: 'R1' };

async function anOrderThat(place: typeof placePayin | typeof placePayout, ...steps: Step[]): Promise<Order> {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  const order = await place(fixture.domain, merchantId, 'IN');
  for (const step of steps) {
    const done = await fixture.domain.commit(typeof step === 'function' ? step(order) : aReport(order, step));
    expect(done).toMatchObject({ ok: true });
  }
  return order;
}

async function found(order: Order): Promise<string[]> {
  const { violations } = await inSnapshot(fixture.domain, (read) => checkOrders(read, [order]));
  return violations.filter((one) => rules.includes(one.rule)).map(({ detail }) => detail);
}

/** Changes rows of the order in a way that only a manual change could. */
async function byHand(order: Order, ...statements: string[]): Promise<void> {
  const client = await fixture.domain.database.pool.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    for (const sql of statements) {
      const { rowCount } = await client.query(`${sql} and order_no = $1`, [order.orderNo]);
      expect(rowCount, sql).toBeGreaterThan(0);
    }
  } finally {
    await client.query('reset session_replication_role');
    client.release();
  }
}

const lives: [what: string, steps: Step[]][] = [
  ['is open', []],
  ['was paid', [paid()]],
  ['failed', [{ outcome: 'failed', reason: 'no' }]],
  ['was paid twice', [paid(), paid('P2')]],
  ['was paid twice, and operators got the second back', [paid(), paid('P2'), returnCase(1)]],
  ['was paid and came back', [paid(), returned('100.00')]],
  ['came back, and operators sent it again', [paid(), returned('100.00'), returnCase(1)]],
  ['was paid after it had failed, and came back', [{ outcome: 'failed', reason: 'no' }, paid(), returned('100.00')]],
  ['was paid in part', [paid('P1', '40.00')]],
  ['was paid in part, then resolved as paid', [paid('P1', '40.00'), resolve]],
  ['was paid too much, then resolved as paid', [paid('P1', '140.00'), resolve]],
  ['was resolved as paid', [resolve]],
  ['was resolved as paid, and then reported', [resolve, paid()]],
  ['was resolved as paid, and then reported with less', [resolve, paid('P1', '40.00')]],
  [
    'was resolved as paid, and then reported with more, which operators got back',
    [resolve, paid('P1', '140.00'), returnCase(1)],
  ],
  ['was resolved as paid, and came back before it was reported', [resolve, returned('100.00'), paid()]],
];
test.each(lives)(
  'the audit accepts a payout that %s, and reports it if the amount of its last payment is changed',
  async (_, steps) => {
    const order = await anOrderThat(placePayout, ...steps);
    expect(await found(order)).toEqual([]);
    const { rows } = await fixture.domain.database.pool.query<{ seq: number }>(
      `select seq from payment where order_no = $1 and (use <> 'evidence'
       or not exists (select from payment where order_no = $1 and use = 'credited'))
     order by seq`,
      [order.orderNo],
    );
    const [last] = rows.slice(-1);
    if (!last) return;
    await byHand(order, `update payment set amount = amount + 1 where seq = ${last.seq}`);
    expect(await found(order)).toHaveLength(1);
  },
);

const no: ChannelAnswer = { outcome: 'failed', reason: 'no' };
const livesOfPayins: [what: string, steps: Step[]][] = [
  ['was paid', [paid()]],
  ['was paid twice', [paid(), paid('P2')]],
  ['was paid late', [no, paid()]],
  ['was paid late, and operators sent it back', [no, paid(), returnCase(1)]],
  ['was paid late, and refunded', [no, paid(), returnCase(1, 'RF1'), refund(1, refunded)]],
  [
    'was paid late, sent back, and refunded as well, which operators got back',
    [no, paid(), returnCase(1, 'RF1'), refund(1, noRefund), returnCase(1), refund(1, refunded), returnCase(2)],
  ],
];
test.each(livesOfPayins)(
  'the audit accepts a payin that %s, and reports it if what came is booked at another channel',
  async (_, steps) => {
    const order = await anOrderThat(placePayin, ...steps);
    expect(await found(order)).toEqual([]);
    await byHand(order, "update transfer set debit = 'channel:other' where debit = 'channel:fake'");
    expect(await found(order)).toHaveLength(2);
  },
);
