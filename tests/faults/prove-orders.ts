import { setTimeout as delay } from 'node:timers/promises';
import { isTerminal, type OrderStatus } from '../../packages/domain/src/index.ts';
import type { ChaosHarness } from './chaos-harness.ts';
import type { Placed } from './place-order.ts';
import { type UpstreamOrder, upstreamOrders } from './upstream-book.ts';

/** The parts of a harness that a proof needs. */
export type ProofFixture = Pick<ChaosHarness, 'sandbox' | 'ask' | 'audit' | 'outages' | 'freezes'>;

/** What must be true of the orders that were requested under a fault. */
export interface Claim {
  /** What the numbers of these orders, and of no others, begin with. */
  readonly prefix: string;
  readonly placed: readonly Placed[];
  /** How many orders the upstream had been asked for before. */
  readonly upstreamFrom: number;
  /** Numbers of orders that were refused before any work began. */
  readonly refused: readonly string[];
  readonly withinMs: number;
}

export interface Proof {
  /** The violations, one line each; at most 20. */
  readonly problems: string[];
  /** Number of orders that ended with the expected status. */
  readonly ordersProved: number;
  /** Notifications that came more than once. */
  readonly repeated: number;
}

interface Row {
  merchantOrderNo: string;
  orderNo: string;
  kind: 'payin' | 'payout';
  status: OrderStatus;
  netAmount: string;
  createdAt: number;
  /** Type and change of what is available. */
  entries: string[];
  /** Status and state. */
  notifications: string[];
  cases: number;
  /** The order's calls to the channel, oldest first: `create unknown after 8003 ms`. */
  calls: string[];
  /** Since when a create was under way that its channel did not answer, in Unix milliseconds. */
  unansweredSince: number | null;
}

const MAX_PROBLEMS = 20;
const LOOK_AGAIN_MS = 1_000;
/** How long a create waits for its channel's answer (decisions 5.3). */
const CREATE_DEADLINE_MS = 8_000;

/**
 * Waits until all orders have ended, and checks:
 *
 * - an acknowledged or found order exists, once, and a refused one does not
 * - every existing order reached the expected status, was paid once at the upstream and recorded once here
 * - its merchant was notified of exactly that end
 * - the upstream has no other order
 * - the ledger's audit finds nothing
 */
export async function proveOrders(fixture: ProofFixture, claim: Claim): Promise<Proof> {
  const rows = await untilOver(fixture, claim);
  const upstream = new Map((await upstreamOrders(fixture, claim.upstreamFrom)).map((order) => [order.orderNo, order]));
  const delivered = await receivedStatuses(fixture, new Set(rows.map((row) => row.orderNo)));
  const problemOf = (row: Row): string | null =>
    problemOfEnd(fixture, row, upstream.get(row.orderNo)) ??
    problemOfNotifications(row, delivered.get(row.orderNo) ?? []);
  const wrong = rows.flatMap((row) => {
    const problem = problemOf(row);
    if (problem === null) return [];
    return [`${row.merchantOrderNo} (${row.orderNo}): ${problem}; calls: ${row.calls.join(', ') || 'none'}`];
  });
  const problems = [
    ...wrong,
    ...problemsOfKnowledge(claim, rows),
    ...(await unexpectedOrders(fixture, upstream)),
    ...(await refusedAndThere(fixture, claim.refused)),
  ];
  return {
    problems: [...problems, ...(await fixture.audit())].slice(0, MAX_PROBLEMS),
    ordersProved: rows.length - wrong.length,
    repeated: [...delivered.values()].reduce((sum, statuses) => sum + statuses.length - new Set(statuses).size, 0),
  };
}

/** The orders as they are once all have ended and every notification was acknowledged, or the time is over. */
async function untilOver(fixture: ProofFixture, { prefix, withinMs }: Claim): Promise<Row[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const { rows } = await fixture.ask(({ database }) => database.pool.query<Row>(rowsSql, [`${prefix}-`]));
    const open = rows.filter(
      ({ status, notifications }) => !isTerminal(status) || notifications.some((one) => !one.endsWith(' delivered')),
    );
    if (open.length === 0 || Date.now() > deadline) return rows;
    await delay(LOOK_AGAIN_MS);
  }
}

function problemsOfKnowledge({ placed }: Claim, rows: Row[]): string[] {
  const there = new Map(rows.map((row) => [row.merchantOrderNo, row.orderNo]));
  const placedNos = new Set(placed.map((order) => order.merchantOrderNo));
  const problemOf = ({ knowledge, merchantOrderNo, orderNo, refusal, beyondMeans }: Placed): string | null => {
    const found = there.get(merchantOrderNo);
    switch (knowledge) {
      case 'acknowledged':
      case 'found':
        return found === orderNo ? null : `was ${knowledge} as ${orderNo}, and is ${found ?? 'lost'}`;
      case 'refused':
        if (!beyondMeans || refusal !== 42201) return `was refused with ${refusal}`;
        return found === undefined ? null : `was refused, and is there as ${found}`;
      // The database may have been slow to say what it had done.
      case 'unavailable':
        return null;
      case 'open':
        return 'no answer said whether it exists';
      default:
        return knowledge satisfies never;
    }
  };
  return [
    ...placed.flatMap((order) => problemOf(order)?.replace(/^/, `${order.merchantOrderNo} `) ?? []),
    ...[...there.keys()].filter((no) => !placedNos.has(no)).map((no) => `${no} exists, and was never requested`),
  ];
}

/**
 * Paid once at the upstream, and booked once here. Or unpaid at both, if the upstream was unavailable at some time of its
 * life. Or unpaid because the process that handled its create was frozen: before the channel answered, or before that answer was
 * recorded.
 */
function problemOfEnd(fixture: ProofFixture, row: Row, upstream: UpstreamOrder | undefined): string | null {
  const { kind, status, netAmount, cases } = row;
  const since = row.unansweredSince ?? row.createdAt;
  const entries = row.entries.join(', ');
  const paid = upstream?.payments?.length ?? 0;
  const seen = `${status}, paid ${paid} times at the upstream, booked: ${entries || 'nothing'}, cases: ${cases}`;
  if (status === 'completed') {
    const booked = kind === 'payin' ? `PAYIN ${netAmount}` : `PAYOUT 0.00, PAYOUT_FREEZE -${netAmount}`;
    return paid === 1 && entries === booked && cases === 0 ? null : seen;
  }
  const wasAway = fixture.outages.some(({ to }) => to > row.createdAt);
  const wasFrozen = fixture.freezes.some(({ from, to }) => from < since + CREATE_DEADLINE_MS && to > since);
  const mayBeUnpaid = kind === 'payin' && (wasAway || wasFrozen);
  // Money that comes after the end opens a case (decisions 5.5).
  return mayBeUnpaid && isTerminal(status) && entries === '' && cases === paid ? null : seen;
}

function problemOfNotifications({ status, notifications }: Row, delivered: readonly string[]): string | null {
  const wanted = notifications.map((one) => one.split(' ')[0]);
  const undelivered = notifications.filter((one) => !one.endsWith(' delivered'));
  if (undelivered.length > 0) return `not notified: ${undelivered.join(', ')}`;
  if (status === 'completed' && wanted.join() !== 'completed') return `tells ${wanted.join() || 'nothing'}`;
  const received = [...new Set(delivered)].join();
  return received === wanted.join()
    ? null
    : `its merchant was notified of ${received || 'nothing'}, not ${wanted.join()}`;
}

/** Orders that the upstream was asked for, and that are not in the ledger. */
async function unexpectedOrders(
  fixture: ProofFixture,
  upstream: ReadonlyMap<string, UpstreamOrder>,
): Promise<string[]> {
  const sql =
    'select no as "orderNo" from unnest($1::text[]) as no where not exists (select from orders where order_no = no)';
  const { rows } = await fixture.ask(({ database }) =>
    database.pool.query<{ orderNo: string }>(sql, [[...upstream.keys()]]),
  );
  return rows.map(({ orderNo }) => `the upstream knows ${orderNo}, which is not in the ledger`);
}

async function refusedAndThere(fixture: ProofFixture, refused: readonly string[]): Promise<string[]> {
  const sql = 'select merchant_order_no as "no" from orders where merchant_order_no = any($1)';
  const { rows } = await fixture.ask(({ database }) => database.pool.query<{ no: string }>(sql, [refused]));
  return rows.map(({ no }) => `${no} was refused while Redis was unavailable, and is there`);
}

interface Received {
  verified: boolean;
  body: { orderNo?: string; status?: string };
}

/** The status of every notification that came and verified, by order. */
async function receivedStatuses(
  { sandbox }: ProofFixture,
  orderNos: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const delivered = new Map<string, string[]>();
  const response = await fetch(`${sandbox.file.receiverUrl}/received`);
  for (const { verified, body } of (await response.json()) as Received[]) {
    const { orderNo = '', status = '' } = body;
    if (verified && orderNos.has(orderNo)) delivered.set(orderNo, [...(delivered.get(orderNo) ?? []), status]);
  }
  return delivered;
}

const rowsSql = `
  with mine as materialized (select * from orders where starts_with(merchant_order_no, $1))
  select merchant_order_no as "merchantOrderNo", order_no as "orderNo", kind, status, net_amount::text as "netAmount",
    extract(epoch from created_at)::float8 * 1000 as "createdAt", coalesce(e.list, '{}') as entries, coalesce(n.list, '{}') as notifications,
    coalesce(c.count, 0) as cases, coalesce(l.list, '{}') as calls, l.unanswered as "unansweredSince"
  from mine
  left join (select order_no, array_agg(type || ' ' || available_change order by type) as list
    from wallet_entry where order_no in (select order_no from mine) group by order_no) e using (order_no)
  left join (select order_no, array_agg(status || ' ' || state order by status) as list
    from notification where order_no in (select order_no from mine) group by order_no) n using (order_no)
  left join (select order_no, count(*)::integer as count
    from money_case where order_no in (select order_no from mine) group by order_no) c using (order_no)
  left join (select order_no,
      array_agg(operation || ' ' || outcome || ' after ' || duration_ms || ' ms' order by started_at) as list,
      min(extract(epoch from started_at)::float8 * 1000) filter (where operation = 'create' and outcome = 'unknown') as unanswered
    from channel_call where order_no in (select order_no from mine) group by order_no) l using (order_no)`;
