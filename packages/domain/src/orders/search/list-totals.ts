import { isWithin } from '../../lists/conditions.ts';
import { amongMerchants } from '../../lists/scope.ts';
import { type Add, whereAll } from '../../lists/values.ts';
import type { Finder } from './list-finders.ts';
import { groupsFrom, inGroup } from './list-groups.ts';
import { type OpenNotificationState, ordersOfNotifications } from './list-late-notifications.ts';
import { hasOtherRange, rangeConditions, rowConditions } from './list-row-conditions.ts';
import {
  byTimeConditions,
  countUpTo,
  type ExactPlan,
  foundConditions,
  foundFrom,
  inSearchTable,
  openConditions,
  otherRange,
  othersOf,
  residualConditions,
  type Search,
  type Statement,
  statement,
} from './list-search.ts';

// How many orders a search has in all.

/**
 * How orders are counted. `notified`: those of one finder by notification state. `rows`: those of one finder that other
 * conditions do not limit, except merchants and creation.
 */
export type CountPlan =
  | ExactPlan
  | { by: 'notified'; states: readonly OpenNotificationState[]; finder: Finder }
  | { by: 'rows'; finder: Finder };

/** Rows that a total looks at where a condition has to be checked for each. */
const maxExamined = 10_000;

/** Counts all orders of a search up to `most`; `isCut`: not all were looked at. */
export function totalOf(search: Search, plan: CountPlan, most: number): Statement {
  return statement((add) => {
    if (plan.by === 'notified') return totalOfNotified(search, plan, most, add);
    if (plan.by === 'rows') return totalOfRows(search, plan.finder, most, add);
    const ended = totalOfEnded(search, plan, most, add);
    if (plan.by === 'time' || plan.by === 'found') return ended;
    const open = openConditions(search, add).map((one) => `select from orders t${whereAll(one)}`);
    if (open.length === 0) return ended;
    return `select e.count + o.count as count, e."isCut" from (${ended}) e cross join (${countUpTo(open.join(' union all '), most)}) o`;
  });
}

function totalOfEnded(search: Search, plan: ExactPlan, most: number, add: Add): string {
  if (plan.by === 'time')
    return `${countUpTo(`select from order_search s${whereAll(byTimeConditions(search, plan.finder, add))}`, most).replace('as count', 'as count, false as "isCut"')}`;
  if (plan.by === 'found')
    return `${countUpTo(`select from ${foundFrom(plan.finder, add)}${whereAll(foundConditions(search, plan.finder, add))}`, most).replace('as count', 'as count, false as "isCut"')}`;
  const sparse = plan.by === 'walk' ? (plan.sparse?.rows ?? []) : [];
  const groups = { ...plan.groups, rows: [...plan.groups.rows, ...sparse] };
  const from = groupsFrom(groups, add);
  const residual = residualConditions(search, groups, add);
  const { filter, sort } = search;
  const inside = [
    ...inGroup(groups, hasOtherRange(filter, sort) ? otherRange(filter, sort) : sort),
    ...rangeConditions(filter, add),
  ];
  if (residual.length === 0)
    return `${countUpTo(`select from ${from} cross join lateral (select from orders t${whereAll(inside)} limit ${most + 1}) t`, most).replace('as count', 'as count, false as "isCut"')}`;
  const each = Math.ceil(maxExamined / Math.max(1, groups.rows.length));
  return `select count(*) filter (where not "isCut")::integer as count, coalesce(bool_or("isCut"), false) as "isCut" from (
      select t.nth > ${each} as "isCut" from ${from} cross join lateral (
        select t.*, row_number() over () as nth from (select t.* from orders t${whereAll(inside)} limit ${each + 1}) t) t
      where t.nth > ${each} or (${residual.join(' and ')}) limit ${most + 1}) t`;
}

/** At most `most` notifications are looked at. Orders are looked up only if the filter has more than their state and ranges. */
function totalOfNotified(
  search: Search,
  { states, finder }: { states: readonly OpenNotificationState[]; finder: Finder },
  most: number,
  add: Add,
): string {
  const { filter, sort, scope } = search;
  const found = ordersOfNotifications({ states, filter, sort, scope, cursors: [], order: '', limit: most + 1 }, add);
  const alone = { merchantIds: null, amountFrom: null, amountTo: null, createdFrom: null, createdTo: null };
  const others = rowConditions({ ...filter, ...alone }, sort, { ...scope, merchantIds: null }, () => '');
  const isAlone = others.length === (sort === 'completed' ? 1 : 0) && othersOf(search, finder, () => '').length === 0;
  const isCut = `coalesce(max(s.nth) > ${most}, false) as "isCut"`;
  if (isAlone) return `select count(*)::integer as count, ${isCut} from (${found}) s`;
  const conditions = [...rowConditions(filter, sort, scope, add), ...othersOf(search, finder, add)];
  return `select count(t.order_no)::integer as count, ${isCut} from (${found}) s
    left join lateral (select t.order_no from orders t${whereAll(['t.merchant_id = s.merchant_id', 't.order_no = s.order_no', ...conditions])} offset 0) t on true`;
}

/** At most `most` rows of `order_search` are looked at. */
function totalOfRows({ filter, scope }: Search, { source }: Finder, most: number, add: Add): string {
  const found = `select s.*, row_number() over () as nth from (select f.* from (${source?.(add)}) f limit ${most + 1}) s`;
  const keys = `select s.merchant_id, s.order_no, max(s.nth) as nth from (${found}) s group by s.merchant_id, s.order_no`;
  const conditions = [
    ...amongMerchants(filter.merchantIds ?? null, scope, add).map(inSearchTable),
    ...isWithin('s.created_at', filter.createdFrom, filter.createdTo, add),
  ];
  const isCut = `coalesce(max(f.nth) > ${most}, false) as "isCut"`;
  if (conditions.length === 0) return `select count(*)::integer as count, ${isCut} from (${keys}) f`;
  return `select count(s.order_no)::integer as count, ${isCut} from (${keys}) f
    left join lateral (select s.order_no from order_search s${whereAll(['s.merchant_id = f.merchant_id', 's.order_no = f.order_no', ...conditions])} offset 0) s on true`;
}
