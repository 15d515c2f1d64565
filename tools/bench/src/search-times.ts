import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Domain } from '@tidegate/domain';
import { orderLists, pageOrders, readPageRequest, SearchTooWide, unrestricted } from '@tidegate/domain/lists';
import { type Combination, combinationsOf, type KnownValues, offeredParts } from './search-combinations.ts';

/** The cost of the first page of a search. `problem`: the search was refused, or it ended before the page was full. */
export interface SearchTime {
  label: string;
  /** The number of combined filters. */
  parts: number;
  /** Processor time of PostgreSQL, which depends little on the load of the machine. */
  ms: number;
  elapsedMs: number;
  problem?: string;
}

const pageSize = 50;
/** A slower page is read again, and the best reading counts: on a busy machine one reading proves little. */
const suspiciousMs = 25;
const readings = 3;

/**
 * Reads the first page of each combination of up to `most` filters. Of the combinations of several filters only every
 * n-th is read, with n = `every`.
 */
export async function measureSearches(
  domain: Domain,
  { most, every, say }: { most: number; every: number; say: (line: string) => void },
): Promise<SearchTime[]> {
  const parts = offeredParts(await readKnownValues(domain));
  const times: SearchTime[] = [];
  // A first reading opens the connections.
  for (const combination of combinationsOf([], 0)) await readOnce(domain, combination, []);
  const pids = await readBackends(domain);
  let combined = 0;
  for (const combination of combinationsOf(parts, most)) {
    if (combination.parts > 1) combined += 1;
    if (combination.parts > 1 && combined % every !== 0) continue;
    let best = await readOnce(domain, combination, pids);
    for (let again = 1; again < readings && best.ms > suspiciousMs; again += 1) {
      const next = await readOnce(domain, combination, pids);
      if (next.ms < best.ms) best = next;
    }
    times.push(best);
    if (times.length % 1_000 === 0) say(`${times.length} combinations read.`);
  }
  return times;
}

async function readOnce(
  domain: Domain,
  { label, filter, sort, isReversed, parts }: Combination,
  pids: readonly number[],
): Promise<SearchTime> {
  const request = readPageRequest(orderLists[sort], { first: pageSize });
  if (!request.ok) throw new Error(request.problem.reason);
  const began = performance.now();
  const cpuBefore = cpuMsOf(pids);
  const took = () => ({ ms: cpuMsOf(pids) - cpuBefore, elapsedMs: performance.now() - began });
  try {
    const options = { isReversed, maySeePersonal: true };
    const page = await pageOrders(domain, unrestricted, filter, request.page, options);
    const times = took();
    const isShort = page.searchedUntil !== null;
    return isShort ? { label, parts, ...times, problem: `${page.rows.length} rows` } : { label, parts, ...times };
  } catch (error) {
    if (!(error instanceof SearchTooWide)) throw new Error(`${label} failed`, { cause: error });
    return { label, parts, ...took(), problem: 'refused' };
  }
}

/** The processes of PostgreSQL that serve this database. */
async function readBackends({ database }: Domain): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  );
  return rows.map(({ pid }) => pid);
}

/** Processor time of processes on this machine so far, in milliseconds. */
function cpuMsOf(pids: readonly number[]): number {
  const nanos = pids.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]));
  return nanos.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Example values from the filled database. */
async function readKnownValues({ database }: Domain): Promise<KnownValues> {
  const first = async <Row extends object>(text: string): Promise<Row> => {
    const { rows } = await database.pool.query<Row>(text);
    if (!rows[0]) throw new Error('the database has no orders');
    return rows[0];
  };
  const { merchants } = await first<{ merchants: string[] }>(
    `select array_agg(merchant_id order by last_transfer_no desc) as merchants from wallet where last_transfer_no > 1`,
  );
  const { oldest, newest } = await first<{ oldest: number; newest: number }>(
    `select extract(epoch from min(created_at)) * 1000 as oldest, extract(epoch from max(created_at)) * 1000 as newest from orders`,
  );
  const order = await first<KnownValues['order'] & { reference: string }>(
    `select o.order_no as "orderNo", o.merchant_order_no as "merchantOrderNo", o.channel_ref as "channelRef", p.reference,
       o.details->'party'->>'account' as account, o.details->'party'->>'mobile' as phone, o.details->'party'->>'name' as name
     from (select * from orders where created_at > to_timestamp(${(Number(oldest) + Number(newest)) / 2_000}) order by created_at limit 1000) o
     cross join lateral (select reference from payment p where p.merchant_id = o.merchant_id and p.order_no = o.order_no limit 1) p
     where o.details->'party'->>'account' <> 'POOL000001' limit 1`,
  );
  return {
    largestMerchant: merchants[0] ?? '',
    smallestMerchant: merchants.at(-1) ?? '',
    someMerchants: merchants.slice(20, 30),
    oldest: Math.floor(Number(oldest)),
    newest: Math.floor(Number(newest)),
    order,
    reference: order.reference,
  };
}
