import { needsClaimants, needsReturned } from '../../core/commands.ts';
import { OrderTransition } from '../../database/entities/order.ts';
import { orderKeyOf, orderKeys } from './order.ts';
import { byOrder, type ColumnsOf, insertMany } from './queries.ts';
import { key, type LedgerRecord, readByKeys } from './record.ts';

/** What happened to an order before. */
export interface History {
  /** How many transitions it has. */
  readonly transitionCount: number;
  /** The actors who have claimed it. Read only for the orders of proofs. */
  readonly claimants: readonly string[];
  /** What the bank returned of it, decimal text. Read only for the orders of credits. */
  readonly returned: string;
}

const nothing: History = { transitionCount: 0, claimants: [], returned: '0.00' };

function queries(columns: ColumnsOf) {
  return {
    transitionCounts: {
      name: 'transition-counts',
      text: `select t.merchant_id as "merchantId", t.order_no as "orderNo", max(t.seq) as "count" from order_transition t ${byOrder} group by 1, 2`,
    },
    claimantsByOrder: {
      name: 'claimants-by-order',
      text: `select distinct t.merchant_id as "merchantId", t.order_no as "orderNo", t.actor from order_transition t ${byOrder}
        where t.trigger = 'task_claimed'`,
    },
    returnedByOrder: {
      name: 'returned-by-order',
      text: `select t.merchant_id as "merchantId", t.order_no as "orderNo", sum(t.available_change)::text as amount from wallet_entry t ${byOrder}
        where t.order_no is not null and t.type = 'PAYOUT_RETURN' group by 1, 2`,
    },
    insertTransitions: insertMany('order_transition', columns(OrderTransition)),
  };
}

interface OfOrder {
  merchantId: string;
  orderNo: string;
}

/** The history of orders. */
export const transitions = {
  queries,
  async load({ client, sql }, commands) {
    const [counts, claims, returns] = await Promise.all([
      readByKeys<OfOrder & { count: number }>(client, sql.transitionCounts, orderKeys(commands)),
      readByKeys<OfOrder & { actor: string }>(client, sql.claimantsByOrder, orderKeys(commands, needsClaimants)),
      readByKeys<OfOrder & { amount: string }>(client, sql.returnedByOrder, orderKeys(commands, needsReturned)),
    ]);
    const known = new Map<string, History>();
    const add = ({ merchantId, orderNo }: OfOrder, more: (before: History) => Partial<History>): void => {
      const at = key(merchantId, orderNo);
      const before = known.get(at) ?? nothing;
      known.set(at, { ...before, ...more(before) });
    };
    for (const one of counts) add(one, () => ({ transitionCount: one.count }));
    for (const one of claims) add(one, ({ claimants }) => ({ claimants: [...claimants, one.actor] }));
    for (const one of returns) add(one, () => ({ returned: one.amount }));
    return known;
  },
  state: (known, command) => known.get(orderKeyOf(command) ?? '') ?? nothing,
  keep(known, command, { state: { transitionCount, claimants, returned } }) {
    const at = orderKeyOf(command);
    if (at !== null) known.set(at, { transitionCount, claimants, returned });
  },
  added: { 'order created': ({ transition }) => transition, 'order moved': ({ transition }) => transition },
} satisfies LedgerRecord<History, ReturnType<typeof queries>>;
