import pg from 'pg';
import type { BenchEnvironment } from '../bench-environment.ts';
import type { Timing } from '../closed-loop.ts';
import { pageRequest } from '../graphql-pages.ts';
import { type HttpConnection, openHttpConnection } from '../http-connection.ts';
import type { FilledOrders } from '../kept-orders.ts';
import { medianOf } from '../median.ts';
import { orderBody } from '../merchants.ts';
import type { Kind, Row } from '../row.ts';
import { type Operation, signRequests } from '../signed-requests.ts';

/** The requests to a small and a large database. */
const operations = ['payout create', 'query by order number', 'wallet page', 'order list'] as const;
type OperationName = (typeof operations)[number];
type Size = 'small' | 'large';
const nameOf = (operation: OperationName, size: Size): string => `${operation}, ${size} database`;

const rows: readonly Row[] = operations.flatMap((operation) => [
  { name: nameOf(operation, 'small'), unit: 'ms' },
  { name: nameOf(operation, 'large'), unit: 'ms', peers: [nameOf(operation, 'small')], aim: { atMost: 1.3 } },
]);

/**
 * The wait of one request, with a small and with a large database. Both run at the same time and get requests
 * alternately. The requested orders are of all ages and are requested repeatedly, so that processing is compared and
 * not the disk.
 */
export const growth: Kind = {
  rows,
  measure: async ({ environment, timing, kept, sizes }, wanted, report) => {
    const sides = new Map<Size, Side>();
    try {
      for (const size of ['small', 'large'] as const)
        sides.set(size, await openSide(environment, await kept.filled(sizes[size])));
      for (const operation of operations) {
        if (!wanted.some(({ name }) => name === nameOf(operation, 'large') || name === nameOf(operation, 'small')))
          continue;
        for (const [size, figure] of await measureAlternately(sides, operation, timing))
          report(nameOf(operation, size), { figure });
      }
    } finally {
      await Promise.all([...sides.values()].map((side) => side.close()));
    }
  },
};

/** One of the databases with its processes. */
interface Side {
  /** Prepares a new request for `ask`. */
  prepare(operation: OperationName): Promise<Buffer>;
  ask(operation: OperationName, request: Buffer): Promise<void>;
  close(): Promise<void>;
}

async function openSide(environment: BenchEnvironment, filled: FilledOrders): Promise<Side> {
  const orders = await sampleOrders(filled);
  const rest = await environment.start('rest-adapter', filled.url);
  const api = await environment.start('api', filled.url);
  const merchants = await openHttpConnection(rest.port);
  const operators = await openHttpConnection(api.port);
  let calls = 0;
  const next = <T>(from: readonly T[]): T => from[calls++ % from.length] as T;
  const signed: Readonly<Record<Exclude<OperationName, 'order list'>, () => Operation>> = {
    'payout create': () => ({ merchantNo: next(filled.payers), path: '/payout/create', body: orderBody('payout') }),
    'query by order number': () => {
      const { merchantId, kind, orderNo } = next(orders);
      return { merchantNo: merchantId, path: `/${kind}/query?orderNo=${orderNo}` };
    },
    'wallet page': () => {
      const { merchantId, entryNo } = next(orders);
      return { merchantNo: merchantId, path: `/wallet/transactions?page=${1 + Math.floor(entryNo / 20)}&pageSize=20` };
    },
  };
  const lists = [{}, { filter: { createdTo: filled.middle } }, { filter: { merchantIds: [filled.payers[0]] } }];
  return {
    prepare: async (operation) => {
      if (operation === 'order list') return pageRequest(api.port, filled.token, next(lists));
      const [request] = await signRequests(1, filled.privateKeyPem, rest.port, signed[operation]);
      return request as Buffer;
    },
    ask: (operation, request) => send(operation === 'order list' ? operators : merchants, request),
    close: async () => {
      merchants.close();
      operators.close();
      await Promise.all([rest.stop(), api.stop()]);
    },
  };
}

async function send(connection: HttpConnection, request: Buffer): Promise<void> {
  const { status, body } = await connection.ask(request);
  if (status !== 200 || body.includes('"errors":')) throw new Error(`answered with ${status}: ${body.slice(0, 500)}`);
}

interface SampledOrder {
  merchantId: string;
  kind: string;
  orderNo: string;
  /** The position of one of its merchant's wallet entries, counted from the newest. */
  entryNo: number;
}

/** About 200 orders of the payers, of all ages. */
async function sampleOrders({ url, payers }: FilledOrders): Promise<SampledOrder[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<SampledOrder>(
      `select merchant_id as "merchantId", kind, order_no as "orderNo", floor(last_entry_no * place / places)::integer as "entryNo"
       from (select o.merchant_id, kind, order_no, last_entry_no, row_number() over w as place, count(*) over () as places
         from orders o join wallet using (merchant_id) where merchant_id = any($1) window w as (order by order_no)) o
       where place % greatest(1, places / 200) = 0`,
      [payers],
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** The median wait of each side, in ms. The sides get requests of the same kind alternately. */
async function measureAlternately(
  sides: ReadonlyMap<Size, Side>,
  operation: OperationName,
  timing: Timing,
): Promise<[size: Size, ms: number][]> {
  const waits = [...sides].map(([size, side]) => ({ size, side, ms: [] as number[] }));
  const from = performance.now() + timing.warmUp * 1000;
  for (let rounds = 0; rounds < 20 || performance.now() < from + timing.seconds * 1000; rounds += 1) {
    for (const { side, ms } of waits) {
      const request = await side.prepare(operation);
      const sentAt = performance.now();
      await side.ask(operation, request);
      if (sentAt >= from || rounds >= 10) ms.push(performance.now() - sentAt);
    }
  }
  return waits.map(({ size, ms }) => [size, medianOf(ms)]);
}
