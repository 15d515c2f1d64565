import pg from 'pg';
import type { Ground } from './ground.ts';
import { openHttpConnection } from './http-connection.ts';
import type { FilledOrders } from './kept-orders.ts';
import { medianOf } from './median.ts';
import { httpRequest } from './signed-requests.ts';

/** The ways to read a page of 50 orders with their merchants and wallets. */
export const pageWays = {
  plain: 'page of 50 orders, plain joined SQL',
  newest: 'page of 50 orders, GraphQL, the newest',
  middle: 'page of 50 orders, GraphQL, in the middle',
} as const;

/** How long the middle one of a way's readings took. */
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

const plainSql = `select o.order_no, o.merchant_id, o.merchant_order_no, o.status, o.amount, o.fee_amount, o.net_amount, o.currency,
    o.created_at, o.completed_at, m.name, m.country, w.available, w.frozen
  from orders o join merchant m using (merchant_id) join wallet w using (merchant_id)
  order by o.created_at desc, o.merchant_id desc, o.order_no desc limit 50`;

/** Reads pages of a filled database for so many seconds, in turn by the plain joined query and through the API, the newest page and one from the middle of time. */
export async function measurePages(ground: Ground, filled: FilledOrders, seconds: number): Promise<PageTime[]> {
  const api = await ground.start('api', filled.url);
  const client = new pg.Client({ connectionString: filled.url });
  await client.connect();
  const connection = await openHttpConnection(api.port);
  const ask = async (variables: object): Promise<{ endCursor: string; count: number }> => {
    const answer = await connection.ask(pageRequest(api.port, filled.token, variables));
    const { data, errors } = JSON.parse(answer.body);
    if (answer.status !== 200 || errors)
      throw new Error(`answered with ${answer.status}: ${answer.body.slice(0, 500)}`);
    return { endCursor: data.orders.pageInfo.endCursor, count: data.orders.edges.length };
  };
  try {
    const { endCursor } = await ask({ filter: { createdTo: filled.middle } });
    const ways: [name: string, read: () => Promise<number>][] = [
      [pageWays.plain, async () => (await client.query({ name: 'page', text: plainSql })).rows.length],
      [pageWays.newest, async () => (await ask({})).count],
      [pageWays.middle, async () => (await ask({ after: endCursor })).count],
    ];
    const times = ways.map((): number[] => []);
    const until = performance.now() + seconds * 1000;
    for (let round = 0; performance.now() < until || round < 20; round += 1) {
      for (const [i, [name, read]] of ways.entries()) {
        const began = performance.now();
        const count = await read();
        if (count !== 50) throw new Error(`${name}: ${count} orders instead of 50`);
        // The first readings warm up.
        if (round >= 10) times[i]?.push(performance.now() - began);
      }
    }
    return ways.map(([name], i) => ({ name, medianMs: medianOf(times[i] ?? []) }));
  } finally {
    connection.close();
    await client.end();
    await api.stop();
  }
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
