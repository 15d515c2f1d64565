import type { ClientBase } from 'pg';
import { isTerminal } from '../../core/order.ts';
import { countries as allCountries, countryRules } from '../../countries/index.ts';
import { given, is, isOneOf } from '../../lists/conditions.ts';
import { merchantsToLookUp, type Scope } from '../../lists/scope.ts';
import { type Add, collectValues, whereAll } from '../../lists/values.ts';
import { isOnlyCompleted, wantedCountries } from './list-row-conditions.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';

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

/** More groups are not searched one by one. */
export const maxGroups = 5_000;

const columns = ['t.kind', 't.status', 't.channel_id', `coalesce(t.bank_code, '')`, `coalesce(t.failure_reason, '')`];
const names = ['kind', 'status', 'channel_id', 'bank_code', 'failure_reason'];

/** Reads the groups that have orders and that a filter asks for. One more than `maxGroups`: there are too many. */
export async function readGroups(
  client: ClientBase,
  filter: OrderFilter,
  sort: OrderSort,
  scope: Scope,
): Promise<Groups> {
  const { values, add } = collectValues();
  const merchants = merchantsToLookUp(filter.merchantIds ?? null, scope);
  const countries = wantedCountries(filter, scope);
  const by = merchants ? 'merchant_id' : 'country';
  const firsts = merchants
    ? `select f.first from unnest(${add(merchants)}::text[]) as f(first) where ${
        countries === null
          ? 'true'
          : `exists (select from merchant m where m.merchant_id = f.first and m.country = any(${add(countries)}::text[]))`
      }`
    : `select first from unnest(${add(countries ?? allCountries)}::text[]) as f(first)`;
  const next = (from: string, conditions: readonly string[]): string =>
    `select n.* from ${from} cross join lateral (
      select p.first, ${columns.map((column, i) => `${column} as ${names[i]}`).join(', ')} from orders t
      ${whereAll([`t.${by} = p.first`, ...indexConditions(by, isOnlyCompleted(filter, sort) ? 'completed' : sort), ...conditions])}
      order by ${columns.join(', ')} limit 1) n`;
  const { rows } = await client.query<Group>(
    `with recursive g as (${next(`(${firsts}) p`, [])}
       union all ${next('g p', [`(${columns.join(', ')}) > (${names.map((name) => `p.${name}`).join(', ')})`])})
     select t.first, t.kind, t.status, t.channel_id as "channelId", t.bank_code as "bankCode", t.failure_reason as "failureReason"
     from g t${whereAll(groupConditions(filter, add))} limit ${maxGroups + 1}`,
    values,
  );
  return { by, rows: filter.notificationStates == null ? rows : rows.filter((group) => mayHaveNotified(by, group)) };
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
 * What the partial indexes of groups ask for. `index`: what the wanted index is sorted by. To PostgreSQL all of them seem alike, so only the wanted
 * ones may fit.
 */
function indexConditions(by: Groups['by'], index: OrderSort): string[] {
  return given(
    by === 'merchant_id' ? `t.created_at > '-infinity'` : null,
    index === 'completed'
      ? 't.completed_at is not null'
      : `t.status in ('completed', 'failed', 'timeout', 'cancelled')`,
  );
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
  return `unnest(${parts.join(', ')}) with ordinality as g(first, ${names.join(', ')}, place)`;
}

/** Conditions of an order `t` of the group `g`, for the index with this sort. All orders of a completed group have a time of completion. */
export function inGroup({ by }: Groups, index: OrderSort): string[] {
  return [
    `t.${by} = g.first`,
    ...columns.map((column, i) => `${column} = g.${names[i]}`),
    ...indexConditions(by, index),
  ];
}
