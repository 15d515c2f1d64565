import type { OrderKind, OrderRef } from '../core/order.ts';
import { countries, countryRules } from '../countries/index.ts';
import { checkFees } from './fee-rule.ts';
import { movementsOf } from './movements-rule.ts';
import type { Read } from './snapshot.ts';
import { askRules, type Rules, type Violation } from './violation.ts';

/**
 * The invariants of an order in any status (the ledger's design page, 4, 5 and 8). They are checked on the orders in
 * `chosen`.
 */
const ruleBodies: Rules = {
  'an order that is named is there': `
    select merchant_id, order_no as subject, 'there is no such order' as detail
    from (select merchant_id, order_no from chosen except select merchant_id, order_no from found) as missing`,

  'a payout is frozen once, and settled or released once when it ends': `
    select o.merchant_id, o.order_no as subject, format('it is %s with %s freezes, %s settled, %s released', o.status, e.frozen, e.settled, e.released) as detail
    from found o cross join lateral (
      select count(*) filter (where type = 'PAYOUT_FREEZE' and frozen_change = o.net_amount) as frozen,
        count(*) filter (where type = 'PAYOUT' and frozen_change = -o.net_amount) as settled,
        count(*) filter (where type = 'PAYOUT_RELEASE' and frozen_change = -o.net_amount) as released
      from wallet_entry e where e.merchant_id = o.merchant_id and e.order_no = o.order_no) e
    where o.kind = 'payout' and (e.frozen <> 1
      or e.settled <> (case when o.status = 'completed' then 1 else 0 end)
      or e.released <> (case when o.status in ('failed', 'timeout', 'cancelled') then 1 else 0 end))`,

  'a completed payin is credited once, and no other': `
    select o.merchant_id, o.order_no as subject, format('it is %s with %s credits, %s of them of %s', o.status, e.credits, e.right_ones, o.net_amount) as detail
    from found o cross join lateral (
      select count(*) as credits, count(*) filter (where available_change = o.amount - o.fee_amount) as right_ones
      from wallet_entry e where e.merchant_id = o.merchant_id and e.order_no = o.order_no and e.type = 'PAYIN') e
    where o.kind = 'payin' and (e.credits, e.right_ones)
      is distinct from (case when o.status = 'completed' then (1::bigint, 1::bigint) else (0::bigint, 0::bigint) end)`,

  'a payin moves exactly what its payments brought': movementsOf('payin'),

  'a completed payout left through its channel once, and no other': `
    select o.merchant_id, o.order_no as subject, format('it is %s over %s, settled with the channel were %s', o.status, o.amount, t.total) as detail
    from found o
    cross join lateral (select coalesce(sum(amount), 0) as total from transfer t
      where t.merchant_id = o.merchant_id and t.order_no = o.order_no and t.cause = 'payout_settle') t
    where o.kind = 'payout' and t.total <> case o.status when 'completed' then o.amount else 0 end`,

  'a payout moves with its channels exactly what was reported': movementsOf('payout'),

  'a completed order paid its fee once, and no other': `
    select o.merchant_id, o.order_no as subject, format('it is %s, its fee is %s, booked were %s', o.status, o.fee_amount, t.total) as detail
    from found o
    cross join lateral (select coalesce(sum(case credit when 'fee_revenue' then amount else -amount end), 0) as total from transfer t
      where t.merchant_id = o.merchant_id and t.order_no = o.order_no and 'fee_revenue' in (t.debit, t.credit)) t
    where t.total <> case o.status when 'completed' then o.fee_amount else 0 end`,

  'the transitions of an order lead from one to the next, and to its status': `
    select o.merchant_id, o.order_no as subject, format('it is %s, its history says %s', o.status, t.steps) as detail
    from found o cross join lateral (
      select (array_agg("to" order by seq desc))[1] as last, bool_and("from" = before and seq = place) as follow,
        coalesce(string_agg(format('%s: %s to %s', seq, "from", "to"), ', ' order by seq), 'nothing') as steps
      from (select seq, "from", "to", lag("to", 1, 'new') over (order by seq) as before, row_number() over (order by seq) as place
        from order_transition t where t.merchant_id = o.merchant_id and t.order_no = o.order_no offset 0) s) t
    where t.follow is not true or o.status is distinct from t.last`,

  // An order that ended twice (failed, then completed by a case) has one for each status that it reached.
  'an ended order has exactly its notifications': `
    select merchant_id, order_no || ' ' || status as subject, detail from (
      (select *, 'none was written' as detail from (table reached except table written) as missing)
      union all (select *, 'one was written too many' from (table written except table reached) as unasked)) as n`,
};

// Each order is looked up by its key, one after the other. Without `offset 0` the planner may choose another join
// order, because its statistics of the tables are old.
const chosen = `with
  chosen as materialized (select m as merchant_id, n as order_no from unnest($1::text[], $2::text[]) as k(m, n)),
  found as materialized (
    select o.* from chosen c cross join lateral (
      select merchant_id, order_no, kind, mode, country, status, channel_id, amount, fee_amount, net_amount, notify_url
      from orders o where o.merchant_id = c.merchant_id and o.order_no = c.order_no offset 0) o),
  -- Notifications from before may have been purged.
  kept_since as (select until from retention where kind = 'notification'),
  reached as (
    select distinct o.merchant_id, o.order_no, t."to" as status
    from found o cross join lateral (
      select "to", at from order_transition t where t.merchant_id = o.merchant_id and t.order_no = o.order_no offset 0) t
    where t.at >= (table kept_since) and o.notify_url is not null and concat_ws(' ', o.kind, o.country, t."to") = any($3::text[])),
  written as (
    select c.merchant_id, c.order_no, n.status from chosen c cross join lateral (
      select status, created_at from notification n where n.merchant_id = c.merchant_id and n.order_no = c.order_no offset 0) n
    where n.created_at >= (table kept_since))`;

export const orderRules: Rules = Object.fromEntries(
  Object.entries(ruleBodies).map(([rule, body]) => [rule, `${chosen} select * from (${body}) as broken`]),
);

export interface OrdersCheck {
  violations: Violation[];
  orders: number;
  notifications: number;
}

/** Checks all rules on these orders, in one snapshot. */
export async function checkOrders(read: Read, refs: readonly OrderRef[]): Promise<OrdersCheck> {
  if (refs.length === 0) return { violations: [], orders: 0, notifications: 0 };
  const keys: [string[], string[]] = [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.orderNo)];
  const values = [...keys, notifyingStatuses()];
  const violations = [...(await askRules(read, orderRules, values)), ...(await checkFees(read, keys))];
  const [counts] = await read<{ orders: number; notifications: number }>(countSql, values);
  return { violations, orders: 0, notifications: 0, ...counts };
}

const countSql = `${chosen} select (select count(*) from found)::integer as orders, (select count(*) from written)::integer as notifications
  where $3::text[] is not null`;

/** The countries' notification rules as texts: `payin TH completed`. */
function notifyingStatuses(): string[] {
  const kinds: OrderKind[] = ['payin', 'payout'];
  return kinds.flatMap((kind) =>
    countries.flatMap((country) =>
      (countryRules[country][kind]?.notifications.statuses ?? []).map((status) => `${kind} ${country} ${status}`),
    ),
  );
}
