import { randomBytes } from 'node:crypto';
import type { Noun } from '../approvals/actions/noun.ts';
import { workItemOf } from '../approvals/actions/work-actions.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import type { Order } from '../core/order.ts';
import type { MoneyCase } from '../core/payment.ts';
import type { Domain } from '../open-domain.ts';
import { assignWork } from '../work/assign-work.ts';
import { orderNow } from './index.ts';
import { anOperator } from './operators.ts';
import { aReport, paid, placePayin } from './payins.ts';
import { by, placePayout } from './payouts.ts';

/** The name of a state, and what makes a new noun in it for an operator who will act on it. */
export type NamedState = [state: string, make: (caller: OperatorContext) => Promise<Noun>];

const unique = (): string => randomBytes(6).toString('hex').toUpperCase();
const accepted = { outcome: 'accepted', channelRef: 'R' } as const;
const failed = { outcome: 'failed', reason: 'no' } as const;

/** Whose nouns they are. It is read when a noun is made, so it may be filled after the tests are listed. */
export interface Place {
  domain: Domain;
  merchantId: string;
}

/** Makers of nouns of one merchant. */
function makersOf(at: Place) {
  const asOrder = async (placed: Order): Promise<Noun> => ({
    type: 'order',
    order: await orderNow(at.domain, placed),
  });

  const payin =
    (changes: object, ...answers: Parameters<typeof aReport>[1][]) =>
    async (): Promise<Noun> => {
      const placed = await placePayin(at.domain, at.merchantId, 'PK', changes);
      for (const answer of answers) await at.domain.commit(aReport(placed, answer));
      return asOrder(placed);
    };
  const payout =
    (...answers: Parameters<typeof aReport>[1][]) =>
    async (): Promise<Noun> => {
      const placed = await placePayout(at.domain, at.merchantId, 'PK', {});
      for (const answer of answers) await at.domain.commit(aReport(placed, answer));
      return asOrder(placed);
    };
  const task =
    (claimedBy: 'nobody' | 'the caller' | 'another', isProven = false) =>
    async (caller: OperatorContext): Promise<Noun> => {
      const placed = await placePayout(at.domain, at.merchantId, 'PK', { mode: 'market' });
      const who = by(claimedBy === 'another' ? 'somebody-else' : caller.operatorId);
      if (claimedBy !== 'nobody') await at.domain.commit({ type: 'claimTask', ref: placed, lease: 1e6, by: who });
      const proof = { reference: unique(), payer: 'A', note: null };
      if (isProven) await at.domain.commit({ type: 'proveTask', ref: placed, proof, by: who });
      return asOrder(placed);
    };

  const caseOf = async (tenant: string, orderNo: string | null): Promise<Noun> => {
    const { rows } = await at.domain.database.pool.query<MoneyCase>(
      `select merchant_id as "merchantId", case_no::integer as "caseNo", kind, state, order_no as "orderNo", channel_id as "channelId",
       reference, currency, amount::text, detail, refund_no as "refundNo", payment_order_no as "paymentOrderNo", came_back::text as "cameBack" from money_case where merchant_id = $1 and ($2::text is null or order_no = $2) order by case_no desc limit 1`,
      [tenant, orderNo],
    );
    const [found] = rows;
    if (!found) throw new Error(`no case of ${tenant} ${orderNo}`);
    return { type: 'case', found };
  };
  const late =
    (amount: string, paidAmount = amount) =>
    async (): Promise<Noun> => {
      const placed = await placePayin(at.domain, at.merchantId, 'PK', { amount, netAmount: amount, feeAmount: '0.00' });
      await at.domain.commit(aReport(placed, failed));
      await at.domain.commit(aReport(placed, paid(unique(), paidAmount)));
      return caseOf(at.merchantId, placed.orderNo);
    };

  return { payin, payout, task, late, caseOf };
}

/** Orders of a merchant of Pakistan with money, in every state. */
export function ordersInEachState(at: Place): NamedState[] {
  const { payin, payout } = makersOf(at);
  return [
    ['a new payin', payin({})],
    ['an accepted payin', payin({}, accepted)],
    ['a completed payin', payin({}, accepted, paid())],
    ['a failed payin', payin({}, failed)],
    ['a payin of a manual channel', payin({ mode: 'manual' })],
    ['a new payout', payout()],
    ['an accepted payout', payout(accepted)],
    ['a completed payout', payout(accepted, paid())],
    ['a failed payout', payout(failed)],
    ...(['the caller', 'another'] as const).map((who): [string, (caller: OperatorContext) => Promise<Noun>] => [
      `a payout that ${who} has taken`,
      async (caller) => {
        const noun = await payout()();
        const [taker, item] = [who === 'another' ? await anOperator(at.domain, ['support']) : caller, workItemOf(noun)];
        if (item?.type === 'order')
          await assignWork(at.domain, { ...taker, roles: ['support'] }, item, taker.operatorId);
        return noun;
      },
    ]),
  ];
}

/** Payouts of the task market, in every state. */
export function tasksInEachState(at: Place): NamedState[] {
  const { task } = makersOf(at);
  return [
    ['an available task', task('nobody')],
    ['a task of the caller', task('the caller')],
    ["another one's task", task('another')],
    ['a proven task of the caller', task('the caller', true)],
    ["another one's proven task", task('another', true)],
  ];
}

/** Cases and notifications of such orders, in every state. */
export function casesInEachState(at: Place): NamedState[] {
  const { payin, late, caseOf } = makersOf(at);
  return [
    ['the case of a late payment', late('100.00')],
    ['the case of a late payment of another amount', late('100.00', '60.00')],
    ['the case of a late payment above the limit', late('20000.00')],
    [
      'a decided case',
      async () => {
        const noun = (await late('100.00')()) as Extract<Noun, { type: 'case' }>;
        const { merchantId, caseNo, orderNo } = noun.found;
        await at.domain.commit({ type: 'returnCase', merchantId, caseNo, orderNo, by: by('somebody-else') });
        return caseOf(at.merchantId, noun.found.orderNo);
      },
    ],
    [
      'a case whose money is being sent back',
      async () => {
        const noun = (await late('100.00')()) as Extract<Noun, { type: 'case' }>;
        const { merchantId, caseNo, orderNo } = noun.found;
        const refund = { refundNo: `RF${unique()}`, by: by('somebody-else') };
        await at.domain.commit({ type: 'returnCase', merchantId, caseNo, orderNo, ...refund });
        return caseOf(at.merchantId, noun.found.orderNo);
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
        await at.domain.commit({ ...unmatched, reference, amount: '5.00' });
        return caseOf(tenant, null);
      },
    ],
    [
      'the case of a payout paid twice',
      async () => {
        const placed = await placePayout(at.domain, at.merchantId, 'PK', {});
        for (const reference of ['A', 'B']) await at.domain.commit(aReport(placed, paid(reference)));
        return caseOf(at.merchantId, placed.orderNo);
      },
    ],
    [
      'a notification',
      async () => {
        const noun = (await payin({}, paid())()) as Extract<Noun, { type: 'order' }>;
        return {
          type: 'notification',
          notification: { merchantId: at.merchantId, orderNo: noun.order.orderNo, status: 'completed' },
        };
      },
    ],
  ];
}
