import { randomBytes } from 'node:crypto';
import { addOperatorToken, createOperator, makeToken } from '@tidegate/domain';
import pg from 'pg';
import type { Ground } from './ground.ts';
import { openHttpConnection } from './http-connection.ts';
import { fillWithOrders } from './many-orders.ts';
import { textTable } from './report.ts';

/** A way to read a page of 50 orders with their merchants and wallets, and how long the middle one of its readings took. */
export interface PageTime {
  name: string;
  medianMs: number;
  /** Of what the plain query took in the same run. */
  ratio: number;
  /** At the most. */
  aim?: number;
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

/**
 * Reads pages of a database of `orders` orders for so many seconds, in turn by the plain joined query and through the API, the newest page
 * and one from the middle of time.
 */
export async function measurePages(ground: Ground, orders: number, seconds: number): Promise<PageTime[]> {
  const database = await ground.freshDatabase();
  const domain = await ground.openDomain(database.url);
  const days = 30;
  await fillWithOrders(domain, database.url, { orders, merchants: 200, days });
  const token = makeToken(randomBytes(32));
  await createOperator(domain, { operatorId: 'bench', name: 'Bench', roles: ['viewer'] });
  await addOperatorToken(domain, 'bench', token);
  await domain.close();
  const api = await ground.startApi(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const connection = await openHttpConnection(api.port);
  const ask = async (variables: object): Promise<{ endCursor: string; count: number }> => {
    const answer = await connection.ask(requestOf(api.port, token, { query: document, variables }));
    const { data, errors } = JSON.parse(answer.body);
    if (answer.status !== 200 || errors)
      throw new Error(`answered with ${answer.status}: ${answer.body.slice(0, 500)}`);
    return { endCursor: data.orders.pageInfo.endCursor, count: data.orders.edges.length };
  };
  try {
    const middle = new Date(Date.now() - (days / 2) * 86_400_000).toISOString();
    const { endCursor } = await ask({ filter: { createdTo: middle } });
    const ways: [name: string, read: () => Promise<number>, aim?: number][] = [
      ['plain SQL, joined', async () => (await client.query({ name: 'page', text: plainSql })).rows.length],
      ['GraphQL, the newest page', async () => (await ask({})).count, 3],
      ['GraphQL, a page in the middle', async () => (await ask({ after: endCursor })).count, 3],
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
    const medians = times.map(median);
    return ways.map(([name, , aim], i) => ({
      name,
      medianMs: medians[i] ?? 0,
      ratio: (medians[i] ?? 0) / (medians[0] ?? 1),
      ...(aim !== undefined && { aim }),
    }));
  } finally {
    connection.close();
    await client.end();
    await api.stop();
    await database.drop();
  }
}

function requestOf(port: number, token: string, body: object): Buffer {
  const text = JSON.stringify(body);
  const head = [
    'POST /graphql HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    `Authorization: Bearer ${token}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The times as a table in text. */
export function pageTable(times: readonly PageTime[], orders: number): string {
  const rows = times.map(({ name, medianMs, ratio, aim }) => [
    name,
    medianMs.toFixed(2),
    `${ratio.toFixed(2)} x`,
    aim === undefined ? '' : `${aim} x`,
    aim === undefined ? '' : ratio < aim ? 'met' : 'missed',
  ]);
  const head = [`a page of 50 of ${orders} orders by`, 'median ms', 'of plain', 'below', ''];
  return textTable(head, rows);
}
