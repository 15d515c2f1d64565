import pg from 'pg';
import type { BenchEnvironment } from './bench-environment.ts';
import type { Timing } from './closed-loop.ts';
import { type HttpConnection, openHttpConnection } from './http-connection.ts';
import type { FilledOrders } from './kept-orders.ts';
import { medianOf } from './median.ts';
import { httpRequest } from './signed-requests.ts';

/** The two ways to read a page of 50 orders with their merchants and wallets. */
export const pageWays = {
  plainNewest: 'page of 50 orders, plain joined SQL, the newest',
  plainMiddle: 'page of 50 orders, plain joined SQL, in the middle',
  newest: 'page of 50 orders, GraphQL, the newest',
  middle: 'page of 50 orders, GraphQL, in the middle',
} as const;

/** The median time of one way. */
export interface PageTime {
  name: string;
  medianMs: number;
}

const orderFields =
  'orderNo merchantId merchantOrderNo status amount feeAmount netAmount currency createdAt completedAt';
const document = `query Page($after: String, $filter: OrderFilter) {
  orders(first: 50, after: $after, filter: $filter) {
    edges { cursor node { ${orderFields} merchant { merchantId name country wallet { available frozen currency } } } }
    pageInfo { hasNextPage endCursor }
  }
}`;

const plainSql = (
  where: string,
): string => `select o.order_no, o.merchant_id, o.merchant_order_no, o.status, o.amount, o.fee_amount, o.net_amount, o.currency,
    o.created_at, o.completed_at, m.name, m.country, w.available, w.frozen
  from orders o join merchant m using (merchant_id) join wallet w using (merchant_id)
  ${where} order by o.created_at desc, o.merchant_id desc, o.order_no desc limit 50`;

/**
 * Reads pages of a filled database, alternately by the plain joined query and through the API. It reads the newest page
 * and one from the middle of the time range. The time of the API ends when the complete answer has arrived; its content
 * is checked afterwards.
 */
export async function measurePages(
  environment: BenchEnvironment,
  filled: FilledOrders,
  timing: Timing,
): Promise<PageTime[]> {
  const api = await environment.start('api', filled.url);
  const client = new pg.Client({ connectionString: filled.url });
  await client.connect();
  const connection = await openHttpConnection(api.port);
  const ask = (variables: object) => connection.ask(pageRequest(api.port, filled.token, variables));
  const newest = { name: 'newest', text: plainSql('') };
  const middle = { name: 'middle', text: plainSql('where o.created_at < $1'), values: [filled.middle] };
  try {
    const { endCursor } = pageIn(await ask({ filter: { createdTo: filled.middle } }));
    const rowsOf = ({ rows }: pg.QueryResult): number => rows.length;
    const ofPage = (answer: Answer): number => pageIn(answer).count;
    const ways: Way[] = [
      way(pageWays.plainNewest, () => client.query(newest), rowsOf),
      way(pageWays.plainMiddle, () => client.query(middle), rowsOf),
      way(pageWays.newest, () => ask({}), ofPage),
      way(pageWays.middle, () => ask({ after: endCursor }), ofPage),
    ];
    const times = ways.map((): number[] => []);
    const from = performance.now() + timing.warmUp * 1000;
    const until = from + timing.seconds * 1000;
    for (let round = 0; performance.now() < until || round < 20; round += 1) {
      for (const [i, { name, read }] of ways.entries()) {
        const { ms, count } = await read();
        if (count !== 50) throw new Error(`${name}: ${count} orders instead of 50`);
        if (performance.now() >= from) times[i]?.push(ms);
      }
    }
    return ways.map(({ name }, i) => ({ name, medianMs: medianOf(times[i] ?? []) }));
  } finally {
    connection.close();
    await client.end();
    await api.stop();
  }
}

interface Way {
  name: string;
  /** Reads a page in this way. Returns the time, and the number of orders. */
  read(): Promise<{ ms: number; count: number }>;
}

function way<Read>(name: string, read: () => Promise<Read>, countOf: (read: Read) => number): Way {
  return {
    name,
    read: async () => {
      const began = performance.now();
      const what = await read();
      const ms = performance.now() - began;
      return { ms, count: countOf(what) };
    },
  };
}

type Answer = Awaited<ReturnType<HttpConnection['ask']>>;

function pageIn({ status, body }: Answer): { endCursor: string; count: number } {
  const { data, errors } = JSON.parse(body);
  if (status !== 200 || errors) throw new Error(`answered with ${status}: ${body.slice(0, 500)}`);
  return { endCursor: data.orders.pageInfo.endCursor, count: data.orders.edges.length };
}

/** The request of one page of the list. */
export function pageRequest(port: number, token: string, variables: object): Buffer {
  const text = JSON.stringify({ query: document, variables });
  const headers = {
    Host: `127.0.0.1:${port}`,
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'Content-Length': String(Buffer.byteLength(text)),
  };
  return httpRequest('POST', '/graphql', headers, text);
}
