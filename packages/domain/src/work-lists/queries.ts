import { platformMerchantOf } from '../core/country.ts';
import { countries } from '../countries/index.ts';
import { isStuck } from '../ledger/index.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { type Add, whereAll } from '../lists/values.ts';
import { retriedNotification } from '../notifications/index.ts';
import { type DayWaitsFor, endOfDay, openDay, waitingDayConditions } from '../reconciliation/index.ts';

/** Work that waits for a person, and the table that holds it. */
interface WorkTable {
  table: string;
  /** The time since when it waits. An index has the rows that meet `indexConditions` in this order. */
  since: string;
  indexConditions(add: Add, stuckMs: number): string[];
  /** Conditions that are checked for each of those rows. */
  filters?(add: Add): readonly string[];
  /** The time since when a row waits, if it is not its place in the index. */
  waitsSince?(add: Add): string;
  /** Its rows belong to platform tenants of countries, which operators with a restriction to merchants may not see. */
  isOfPlatform?: true;
  /** The most rows that are examined, where each costs more than a look at it. */
  examined?: number;
}

/** The condition of the index of open payouts. */
const openPayouts = `t.kind = 'payout'`;

function waitingDays(waitsFor: DayWaitsFor) {
  return {
    table: 'reconciliation_day',
    since: 'day',
    indexConditions: () => [openDay],
    filters: (add: Add) => waitingDayConditions(waitsFor, add),
    waitsSince: endOfDay,
    isOfPlatform: true,
    examined: 1_000,
  } as const satisfies WorkTable;
}

const workTables = {
  // A case with a refund under way waits for its channel, not for a person.
  open_cases: {
    table: 'money_case',
    since: 'opened_at',
    filters: () => ['t.refund_no is null'],
    indexConditions: () => [`t.state = 'open'`],
  },
  stuck_payouts: { table: 'orders', since: 'created_at', indexConditions: (add, stuckMs) => [isStuck(add(stuckMs))] },
  available_tasks: {
    table: 'orders',
    since: 'created_at',
    filters: () => [`t.mode = 'market'`],
    indexConditions: () => [openPayouts, `t.status = 'market_available'`],
  },
  proven_tasks: {
    table: 'orders',
    since: 'created_at',
    filters: () => [`t.mode = 'market' and t.task -> 'proof' <> 'null'`],
    indexConditions: () => [openPayouts, `t.status = 'processing'`],
  },
  failed_notifications: {
    table: 'notification',
    since: 'created_at',
    indexConditions: () => [`t.state = 'exhausted'`, `t.created_at > clock_timestamp() - interval '7 days'`],
  },
  retried_notifications: {
    table: 'notification',
    since: 'created_at',
    indexConditions: () => [retriedNotification],
  },
  pending_approvals: {
    table: 'approval',
    since: 'asked_at',
    indexConditions: () => [`t.state = 'pending'`, 't.expires_at > clock_timestamp()'],
  },
  stopped_payouts: {
    table: 'payout_stop',
    since: 'stopped_at',
    indexConditions: () => ['t.released_at is null'],
  },
  open_findings: {
    table: 'audit_finding',
    since: 'found_at',
    indexConditions: () => [],
    filters: () => [`t.state = 'open'`],
  },
  // A draft of nothing is carried over, and needs no approval.
  settlements_to_approve: {
    table: 'settlement',
    since: 'drafted_at',
    indexConditions: () => [`t.state = 'draft'`],
    filters: () => ['t.amount > 0'],
  },
  settlements_to_pay: {
    table: 'settlement',
    since: 'drafted_at',
    indexConditions: () => [`t.state = 'approved'`],
    waitsSince: () => 't.approved_at',
  },
  settlements_to_confirm: {
    table: 'settlement',
    since: 'drafted_at',
    indexConditions: () => [`t.state = 'paid'`],
    waitsSince: () => 't.paid_at',
  },
  failed_settlements: {
    table: 'money_case',
    since: 'opened_at',
    indexConditions: () => [`t.state = 'open'`],
    filters: () => [`t.refund_no is null and t.kind = 'settlement_failed'`],
  },
  open_breaks: {
    table: 'reconciliation_break',
    since: 'opened_at',
    indexConditions: () => [`t.state = 'open'`],
    isOfPlatform: true,
  },
  days_to_close: waitingDays('closing'),
  missing_statements: waitingDays('statement'),
} as const satisfies Record<string, WorkTable>;

export type WorkListName = keyof typeof workTables;
const workListNames = Object.keys(workTables) as WorkListName[];

/** How many are counted, and how many rows are looked at for each list. */
export interface WorkLimits {
  counted: number;
  examined: number;
}

/**
 * Counts each list within the scope by one statement, and finds its oldest entry. A list with more rows than are
 * examined or counted is marked as not exact. A list that cannot have a row within the scope is left out.
 */
export function workListsSql(scope: Scope, stuckMs: number, limits: WorkLimits, add: Add): string {
  return workListNames
    .filter((name) => mayHave(name, scope))
    .map((name) => countSql(name, scope, stuckMs, limits, add))
    .join(' union all ');
}

/** Whether the list can have a row within the scope. */
function mayHave(name: WorkListName, scope: Scope): boolean {
  const { isOfPlatform }: WorkTable = workTables[name];
  return !isOfPlatform || scopeOfPlatform(scope).merchantIds?.length !== 0;
}

/** The same scope for rows of platform tenants, as their names: no row needs a look at its merchant. */
function scopeOfPlatform(scope: Scope): Scope {
  if (scope.countries === null && scope.merchantIds === null) return scope;
  const tenants = (scope.countries ?? countries).map(platformMerchantOf);
  return { countries: null, merchantIds: tenants.filter((one) => scope.merchantIds?.includes(one) ?? true) };
}

function countSql(name: WorkListName, scope: Scope, stuckMs: number, limits: WorkLimits, add: Add): string {
  const { table, since, indexConditions, ...rest }: WorkTable = workTables[name];
  const examined = Math.min(limits.examined, rest.examined ?? limits.examined);
  const { counted } = limits;
  const own = rest.isOfPlatform ? scopeOfPlatform(scope) : scope;
  const filters = [...(rest.filters?.(add) ?? []), ...withinScope(own, 't.merchant_id', add)];
  const waitsSince = rest.waitsSince?.(add) ?? `t.${since}`;
  const found = (limit: number, columns: string): string =>
    `select ${columns} from ${table} t${whereAll(indexConditions(add, stuckMs))} order by t.${since} limit ${limit}`;
  // The row beyond those that are examined marks that the search was cut.
  const rows =
    filters.length === 0
      ? found(counted + 1, `${waitsSince} as since, false as is_cut`)
      : `select ${waitsSince} as since, t.nth > ${examined} as is_cut
         from (select t.*, row_number() over () as nth from (${found(examined + 1, 't.*')}) t) t
         where t.nth > ${examined} or (${filters.join(' and ')}) limit ${counted + 1}`;
  return `select '${name}' as list, least(count(*) filter (where not is_cut), ${counted})::integer as count,
      count(*) <= ${counted} and not coalesce(bool_or(is_cut), false) as "isExact",
      round(extract(epoch from min(since) filter (where not is_cut)) * 1000)::float8 as "oldestAt"
    from (${rows}) t`;
}
