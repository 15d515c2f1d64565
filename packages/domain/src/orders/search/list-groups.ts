import type { ClientBase } from 'pg';
import { isTerminal, orderStatuses } from '../../core/order.ts';
import { countries as allCountries, countryRules } from '../../countries/index.ts';
import { given, is, isOneOf } from '../../lists/conditions.ts';
import { merchantsToLookUp, type Scope } from '../../lists/scope.ts';
import { type Add, collectValues, whereAll } from '../../lists/values.ts';
import {
  countUpTo,
  isOnlyCompleted,
  rangeConditions,
  rangeOf,
  type Search,
  type Statement,
  statement,
  wantedCountries,
} from './list-conditions.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';

/** The countries or merchants whose groups are read. */
interface Asked {
  filter: OrderFilter;
  sort: OrderSort;
  scope: Scope;
}

/**
 * Groups of ended orders: those of a country, or of a merchant, that have the same kind, status, channel, bank code and failure reason. Indexes keep the
 * orders of each group sorted, so what a filter says about these columns picks groups and costs nothing for each order.
 */
export interface Groups {
  by: 'country' | 'merchant_id';
  rows: readonly Group[];
}

interface Group {
  first: string;
  kind: string;
  status: string;
  channelId: string;
  bankCode: string;
  failureReason: string;
}

const columns = ['t.kind', 't.status', 't.channel_id', `coalesce(t.bank_code, '')`, `coalesce(t.failure_reason, '')`];
const names = ['kind', 'status', 'channel_id', 'bank_code', 'failure_reason'];

/**
 * Reads the groups that have orders and that a filter asks for; null: more than `most` would have to be looked at. They are looked up by their kinds and
 * statuses if the filter has these, or of countries. So many failure reasons do not matter where none is asked for.
 */
export async function readGroups(
  client: ClientBase,
  { filter, sort, scope }: Asked,
  most: number,
): Promise<Groups | null> {
  const { values, add } = collectValues();
  const merchants = merchantsToLookUp(filter.merchantIds ?? null, scope);
  const by = merchants ? 'merchant_id' : 'country';
  const fixed = by === 'country' || filter.kind != null || filter.statuses != null ? 2 : 0;
  const index = isOnlyCompleted(filter, sort) ? 'completed' : sort;
  const next = (from: string, known: number, conditions: readonly string[]): string =>
    `select n.* from ${from} cross join lateral (
      select p.first, ${columns.map((column, i) => `${column} as ${names[i]}`).join(', ')} from orders t
      ${whereAll([`t.${by} = p.first`, ...equal(known), ...indexConditions(by, index), ...conditions])}
      order by ${columns.slice(known).join(', ')} limit 1) n`;
  const later = `(${columns.slice(fixed).join(', ')}) > (${names
    .slice(fixed)
    .map((name) => `p.${name}`)
    .join(', ')})`;
  const { rows } = await client.query<Group & { isTooMany: boolean }>(
    `with recursive g as (${next(`(${beginnings(filter, scope, fixed, add)}) p`, fixed, [])}
       union all ${next('g p', fixed, [later])}),
     few as materialized (select * from g limit ${most + 1})
     select t.first, t.kind, t.status, t.channel_id as "channelId", t.bank_code as "bankCode", t.failure_reason as "failureReason",
       false as "isTooMany" from few t${whereAll(groupConditions(filter, add))}
     union all select '', '', '', '', '', '', true where (select count(*) from few) > ${most}`,
    values,
  );
  if (rows.some(({ isTooMany }) => isTooMany)) return null;
  return { by, rows: filter.notificationStates == null ? rows : rows.filter((group) => mayHaveNotified(by, group)) };
}

const equal = (known: number): string[] => columns.slice(0, known).map((column, i) => `${column} = p.${names[i]}`);

/** Where the groups are looked up: countries or merchants, with their kinds and statuses or without. */
function beginnings(filter: OrderFilter, scope: Scope, fixed: number, add: Add): string {
  const merchants = merchantsToLookUp(filter.merchantIds ?? null, scope);
  const countries = wantedCountries(filter, scope);
  const firsts = merchants
    ? `select f.first from unnest(${add(merchants)}::text[]) as f(first) where ${
        countries === null
          ? 'true'
          : `exists (select from merchant m where m.merchant_id = f.first and m.country = any(${add(countries)}::text[]))`
      }`
    : `select first from unnest(${add(countries ?? allCountries)}::text[]) as f(first)`;
  if (fixed === 0) return firsts;
  const kinds = filter.kind == null ? ['payin', 'payout'] : [filter.kind];
  const statuses = (filter.statuses ?? orderStatuses).filter(isTerminal);
  return `select f.first, k.kind, s.status from (${firsts}) f
    cross join unnest(${add(kinds)}::text[]) as k(kind) cross join unnest(${add(statuses)}::text[]) as s(status)`;
}

/** Whether orders of a group can have notifications, by the rules of their country. */
function mayHaveNotified(by: Groups['by'], { first, kind, status }: Group): boolean {
  const rules = Object.values(countryRules).filter(({ code }) => by === 'merchant_id' || code === first);
  // Before it completes, an order may have been in any other status.
  return rules.some(({ payin, payout }) => {
    const { statuses } = (kind === 'payin' ? payin : payout)?.notifications ?? { statuses: [] };
    return statuses.some((one) => one === status || !isTerminal(one) || status === 'completed');
  });
}

function groupConditions(filter: OrderFilter, add: Add): string[] {
  return given(
    is('t.kind', filter.kind, add),
    isOneOf('t.status', filter.statuses, add),
    isOneOf('t.channel_id', filter.channelIds, add),
    isOneOf('t.bank_code', filter.bankCodes, add),
    isOneOf('t.failure_reason', filter.failureReasons, add),
  );
}

/**
 * The conditions of the partial indexes of groups. `index`: the columns by which the wanted index is sorted. PostgreSQL
 * sees no difference between these indexes, so only the wanted ones may fit.
 */
function indexConditions(by: Groups['by'], index: OrderSort): string[] {
  return given(
    by === 'merchant_id' ? `t.created_at > '-infinity'` : null,
    index === 'completed'
      ? 't.completed_at is not null'
      : `t.status in ('completed', 'failed', 'timeout', 'cancelled')`,
  );
}

/** Conditions of an ended order `t`, for the index of all of them with this sort, which no other statement may take. */
export function inEnded(index: 'completed' | 'amount'): string[] {
  return [...indexConditions('country', index), `t.order_no > ''`];
}

/** The groups as rows `g`. */
export function groupsFrom({ rows }: Groups, add: Add): string {
  const part = (of: (group: Group) => string): string => `${add(rows.map(of))}::text[]`;
  const parts = [
    part(({ first }) => first),
    part(({ kind }) => kind),
    part(({ status }) => status),
    part(({ channelId }) => channelId),
    part(({ bankCode }) => bankCode),
    part(({ failureReason }) => failureReason),
  ];
  return `unnest(${parts.join(', ')}) as g(first, ${names.join(', ')})`;
}

/** Conditions of an order `t` of the group `g`, for the index with this sort. All orders of a completed group have a time of completion. */
export function inGroup({ by }: Groups, index: OrderSort): string[] {
  return [
    `t.${by} = g.first`,
    ...columns.map((column, i) => `${column} = g.${names[i]}`),
    ...indexConditions(by, index),
  ];
}

/** How many times more orders of a range of creation can be sorted: they are stored next to each other. */
const nearby = 2.5;

/** How many orders of one range can be sorted. */
export function mostInRange({ maxCandidates }: Pick<Search, 'maxCandidates'>, range: OrderSort): number {
  return range === 'created' ? Math.max(maxCandidates, Math.ceil(maxCandidates * nearby)) : maxCandidates;
}

/** Counts the orders of groups within one range of the filter, up to one more than can be sorted. */
export function candidatesInRange(search: Search, groups: Groups, range: OrderSort): Statement {
  const most = mostInRange(search, range);
  return statement((add) => {
    const conditions = [...inGroup(groups, range), ...rangeConditions(rangeOf(search.filter, range), add)];
    return countUpTo(
      `select from ${eachGroup(groups, `${conditions.join(' and ')} ${byIndex[range]} limit ${most + 1}`, add)}`,
      most,
    );
  });
}

/** Exactly as the index is sorted. */
const byIndex: Record<OrderSort, string> = {
  created: 'order by t.created_at, t.amount',
  amount: 'order by t.amount, t.created_at',
  completed: 'order by t.completed_at, t.amount',
};

/** All orders of groups between the cursors and within all ranges, looked up by this range. */
export function allInRange(
  { filter }: Search,
  { groups, range }: { groups: Groups; range: OrderSort },
  cursors: readonly string[],
  add: Add,
): string {
  const conditions = [...inGroup(groups, range), ...rangeConditions(filter, add), ...cursors];
  return `select t.* from ${eachGroup(groups, `${conditions.join(' and ')} ${byIndex[range]} offset 0`, add)}`;
}

/** The orders of each group as rows `t`; `where`: which ones, and in what order. */
function eachGroup(groups: Groups, where: string, add: Add): string {
  return `${groupsFrom(groups, add)} cross join lateral (select t.* from orders t where ${where}) t`;
}
