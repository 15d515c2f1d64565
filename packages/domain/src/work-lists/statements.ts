import { isStuck } from '../ledger/index.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { type Add, whereAll } from '../lists/values.ts';

/** Work that waits for a person, and the table that holds it. */
interface WorkTable {
  table: string;
  /** The time since when it waits. An index has the rows that meet `indexConditions` in this order. */
  since: string;
  indexConditions(add: Add, stuckMs: number): string[];
  /** A condition that is checked for each of those rows. */
  filter?: string;
}

/** The condition of the index of open payouts. */
const openPayouts = `t.kind = 'payout'`;

const workTables = {
  // A case with a refund under way waits for its channel, not for a person.
  open_cases: {
    table: 'money_case',
    since: 'opened_at',
    filter: 't.refund_no is null',
    indexConditions: () => [`t.state = 'open'`],
  },
  stuck_payouts: { table: 'orders', since: 'created_at', indexConditions: (add, stuckMs) => [isStuck(add(stuckMs))] },
  available_tasks: {
    table: 'orders',
    since: 'created_at',
    filter: `t.mode = 'market'`,
    indexConditions: () => [openPayouts, `t.status = 'market_available'`],
  },
  proven_tasks: {
    table: 'orders',
    since: 'created_at',
    filter: `t.mode = 'market' and t.task -> 'proof' <> 'null'`,
    indexConditions: () => [openPayouts, `t.status = 'processing'`],
  },
  failed_notifications: {
    table: 'notification',
    since: 'created_at',
    indexConditions: () => [`t.state = 'exhausted'`, `t.created_at > clock_timestamp() - interval '7 days'`],
  },
  pending_approvals: {
    table: 'approval',
    since: 'asked_at',
    indexConditions: () => [`t.state = 'pending'`, 't.expires_at > clock_timestamp()'],
  },
  open_findings: { table: 'audit_finding', since: 'found_at', indexConditions: () => [], filter: `t.state = 'open'` },
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
 * examined or counted is marked as not exact.
 */
export function workListsSql(scope: Scope, stuckMs: number, limits: WorkLimits, add: Add): string {
  return workListNames.map((name) => countSql(name, scope, stuckMs, limits, add)).join(' union all ');
}

function countSql(
  name: WorkListName,
  scope: Scope,
  stuckMs: number,
  { counted, examined }: WorkLimits,
  add: Add,
): string {
  const { table, since, indexConditions, filter }: WorkTable = workTables[name];
  const filters = [...(filter === undefined ? [] : [filter]), ...withinScope(scope, 't.merchant_id', add)];
  const found = (limit: number, columns: string): string =>
    `select ${columns} from ${table} t${whereAll(indexConditions(add, stuckMs))} order by t.${since} limit ${limit}`;
  // The row beyond those that are examined marks that the search was cut.
  const rows =
    filters.length === 0
      ? found(counted + 1, `t.${since} as since, false as is_cut`)
      : `select t.${since} as since, t.nth > ${examined} as is_cut
         from (select t.*, row_number() over () as nth from (${found(examined + 1, 't.*')}) t) t
         where t.nth > ${examined} or (${filters.join(' and ')}) limit ${counted + 1}`;
  return `select '${name}' as list, least(count(*) filter (where not is_cut), ${counted})::integer as count,
      count(*) <= ${counted} and not coalesce(bool_or(is_cut), false) as "isExact",
      round(extract(epoch from min(since) filter (where not is_cut)) * 1000)::float8 as "oldestAt"
    from (${rows}) t`;
}
