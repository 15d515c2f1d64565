import type { Domain } from '@tidegate/domain';
import { merchantNo, merchantPrefix } from '../merchants.ts';
import type { Kind, Row } from '../row.ts';
import { createOne, merchantOf } from '../send-to-writer.ts';
import { httpRequest, signRequests } from '../signed-requests.ts';
import { measureRest } from './creates.ts';

const bare = 'bare route, one select';
const query = 'payin query by order number';

const rows: readonly Row[] = [
  { name: bare, unit: '/s' },
  { name: query, unit: '/s', peers: [bare], aim: { atLeast: 0.6 } },
];

const connections = 64;
const orders = 1_000;
/** The number of requests that are prepared for each second of the run: more than current machines can answer. */
const maxPerSecond = 12_000;

/** Signed queries of orders, compared with a route of the same server that only reads the same rows. */
export const queries: Kind = {
  rows,
  measure: async ({ environment, timing }, wanted, report) => {
    const database = await environment.freshDatabase();
    try {
      const placed = await placeOrders(await environment.openDomain(database.url), orders);
      const count = Math.ceil((timing.warmUp + timing.seconds) * maxPerSecond);
      for (const row of wanted) {
        const server = await environment.start(row.name === bare ? 'bare-route' : 'rest-adapter', database.url);
        try {
          let next = 0;
          const order = (): Placed => placed[next++ % placed.length] as Placed;
          const requests =
            row.name === bare
              ? Array.from({ length: count }, () => bareRequest(server.port, order()))
              : await signRequests(count, environment.keys.privateKeyPem, server.port, () => queryOf(order()));
          report(row.name, await measureRest(environment, [server.port], connections, requests, timing));
        } finally {
          await server.stop();
        }
      }
    } finally {
      await database.drop();
    }
  },
};

export interface Placed {
  merchantNo: string;
  orderNo: string;
}

/** Creates payins of at most a hundred merchants. */
export async function placeOrders(domain: Domain, count: number): Promise<Placed[]> {
  try {
    const { rows } = await domain.database.pool.query<{ n: number }>(
      'select least(100, count(*))::integer as n from merchant where starts_with(merchant_id, $1)',
      [merchantPrefix('payin')],
    );
    const merchants = rows[0]?.n ?? 1;
    const place = async (_: unknown, i: number): Promise<Placed> => {
      const merchant = await merchantOf(domain, merchantNo('payin', 1 + (i % merchants)));
      return { merchantNo: merchant.merchantId, orderNo: await createOne(domain, 'payin', merchant) };
    };
    return await Promise.all(Array.from({ length: count }, place));
  } finally {
    await domain.close();
  }
}

export function bareRequest(port: number, { merchantNo, orderNo }: Placed): Buffer {
  return httpRequest('GET', `/orders/${merchantNo}/${orderNo}`, { host: `127.0.0.1:${port}` });
}

export function queryOf({ merchantNo, orderNo }: Placed): { merchantNo: string; path: string } {
  return { merchantNo, path: `/payin/query?orderNo=${orderNo}` };
}
