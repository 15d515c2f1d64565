import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperatorContext } from '../../core/operator-rights.ts';
import type { Order } from '../../core/order.ts';
import type { MoneyCase } from '../../core/payment.ts';
import { compareActions, operatorsOfEachRole } from '../../testing/compare-actions.ts';
import { openTestDomain, orderNow, type TestDomain } from '../../testing/index.ts';
import { anOperator } from '../../testing/operators.ts';
import { aReport, paid, placePayin } from '../../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../../testing/payouts.ts';
import { assignWork } from '../../work/assign-work.ts';
import { requestOperation } from '../request-operation.ts';
import { allowedActions } from './allowed-actions.ts';
import type { Noun } from './noun.ts';
import { workItemOf } from './work-actions.ts';

// What `allowedActions` says about orders and cases, and what the mutation then answers: every state with every role.

let fixture: TestDomain;
let merchantId: string;
let operators: [string, OperatorContext][];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { domain } = fixture;
  ({ merchantId } = await aFundedMerchant(domain, 'PK', '90000000.00', 'market'));
  fixture.channel.answers.query = { outcome: 'accepted', channelRef: 'R' };
  operators = await operatorsOfEachRole(domain);
});
afterAll(() => fixture.close());

const unique = (): string => randomBytes(6).toString('hex').toUpperCase();
const asOrder = async (placed: Order): Promise<Noun> => ({
  type: 'order',
  order: await orderNow(fixture.domain, placed),
});

const payin =
  (changes: object, ...answers: Parameters<typeof aReport>[1][]) =>
  async (): Promise<Noun> => {
    const placed = await placePayin(fixture.domain, merchantId, 'PK', changes);
    for (const answer of answers) await fixture.domain.commit(aReport(placed, answer));
    return asOrder(placed);
  };
const payout =
  (...answers: Parameters<typeof aReport>[1][]) =>
  async (): Promise<Noun> => {
    const placed = await placePayout(fixture.domain, merchantId, 'PK', {});
    for (const answer of answers) await fixture.domain.commit(aReport(placed, answer));
    return asOrder(placed);
  };
const task =
  (claimedBy: 'nobody' | 'the caller' | 'another', isProven = false) =>
  async (caller: OperatorContext): Promise<Noun> => {
    const { domain } = fixture;
    const placed = await placePayout(domain, merchantId, 'PK', { mode: 'market' });
    const who = by(claimedBy === 'another' ? 'somebody-else' : caller.operatorId);
    if (claimedBy !== 'nobody') await domain.commit({ type: 'claimTask', ref: placed, lease: 1e6, by: who });
    const proof = { reference: unique(), payer: 'A', note: null };
    if (isProven) await domain.commit({ type: 'proveTask', ref: placed, proof, by: who });
    return asOrder(placed);
  };
const accepted = { outcome: 'accepted', channelRef: 'R' } as const;
const failed = { outcome: 'failed', reason: 'no' } as const;

async function caseOf(tenant: string, orderNo: string | null): Promise<Noun> {
  const { rows } = await fixture.domain.database.pool.query<MoneyCase>(
    `select merchant_id as "merchantId", case_no::integer as "caseNo", kind, state, order_no as "orderNo", channel_id as "channelId",
       reference, currency, amount::text, detail from money_case where merchant_id = $1 and ($2::text is null or order_no = $2) order by case_no desc limit 1`,
    [tenant, orderNo],
  );
  const [found] = rows;
  if (!found) throw new Error(`no case of ${tenant} ${orderNo}`);
  return { type: 'case', found };
}
const late =
  (amount: string, paidAmount = amount) =>
  async (): Promise<Noun> => {
    const placed = await placePayin(fixture.domain, merchantId, 'PK', { amount, netAmount: amount, feeAmount: '0.00' });
    await fixture.domain.commit(aReport(placed, failed));
    await fixture.domain.commit(aReport(placed, paid(unique(), paidAmount)));
    return caseOf(merchantId, placed.orderNo);
  };

const states: [string, (caller: OperatorContext) => Promise<Noun>][] = [
  ['a new payin', payin({})],
  ['an accepted payin', payin({}, accepted)],
  ['a completed payin', payin({}, accepted, paid())],
  ['a failed payin', payin({}, failed)],
  ['a payin of a manual channel', payin({ mode: 'manual' })],
  ['a new payout', payout()],
  ['an accepted payout', payout(accepted)],
  ['a completed payout', payout(accepted, paid())],
  ['a failed payout', payout(failed)],
  ['an available task', task('nobody')],
  ['a task of the caller', task('the caller')],
  ["another one's task", task('another')],
  ['a proven task of the caller', task('the caller', true)],
  ["another one's proven task", task('another', true)],
  ['the case of a late payment', late('100.00')],
  ['the case of a late payment of another amount', late('100.00', '60.00')],
  ['the case of a late payment above the limit', late('20000.00')],
  ...(['the caller', 'another'] as const).map((who): [string, (caller: OperatorContext) => Promise<Noun>] => [
    `a payout that ${who} has taken`,
    async (caller) => {
      const noun = await payout()();
      const [taker, item] = [
        who === 'another' ? await anOperator(fixture.domain, ['support']) : caller,
        workItemOf(noun),
      ];
      if (item?.type === 'order')
        await assignWork(fixture.domain, { ...taker, roles: ['support'] }, item, taker.operatorId);
      return noun;
    },
  ]),
  [
    'a decided case',
    async () => {
      const noun = (await late('100.00')()) as Extract<Noun, { type: 'case' }>;
      await fixture.domain.commit({ type: 'returnCase', ...noun.found, by: by('somebody-else') });
      return caseOf(merchantId, noun.found.orderNo);
    },
  ],
  [
    'the case of unmatched money',
    async () => {
      const [tenant, reference] = ['PLATFORM-PK', unique()];
      const unmatched = {
        type: 'bookUnmatched',
        merchantId: tenant,
        channelId: 'fake',
        orderNo: 'X',
        direction: 'in',
      } as const;
      await fixture.domain.commit({ ...unmatched, reference, amount: '5.00' });
      return caseOf(tenant, null);
    },
  ],
  [
    'the case of a payout paid twice',
    async () => {
      const placed = await placePayout(fixture.domain, merchantId, 'PK', {});
      for (const reference of ['A', 'B']) await fixture.domain.commit(aReport(placed, paid(reference)));
      return caseOf(merchantId, placed.orderNo);
    },
  ],
  [
    'a notification',
    async () => {
      const noun = (await payin({}, paid())()) as Extract<Noun, { type: 'order' }>;
      return { type: 'notification', notification: { merchantId, orderNo: noun.order.orderNo, status: 'completed' } };
    },
  ],
];

test.each(states)('%s: what is said to be allowed is what the mutation answers', async (state, make) => {
  const { said, came } = await compareActions(fixture.domain, operators, state, make, merchantId);
  expect(said.length).toBeGreaterThan(0);
  expect(said).toEqual(came);
});

test('what is left of the daily limit is said in the currency of the noun', async () => {
  const { domain } = fixture;
  const who = await anOperator(domain, ['finance']);
  const input = { merchantId, amount: '400', bookingNo: unique(), remark: 'r' };
  await requestOperation(domain, who, 'topUpWallet', input, 'a test');
  const wallet = {
    merchantId,
    currency: 'PKR',
    available: '1.00',
    frozen: '0.00',
    lastEntryNo: 1,
    updatedAt: 0,
  } as const;
  const [actions = []] = await allowedActions(domain, who, [{ type: 'wallet', wallet }]);
  expect(actions.map(({ name, approvalAbove, approverRoles }) => [name, approvalAbove, approverRoles])).toEqual(
    ['topUpWallet', 'settleWallet', 'adjustWallet'].map((name) => [name, '9600.00', ['finance']]),
  );
});
