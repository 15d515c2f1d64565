import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Domain } from '@tidegate/domain';
import { setRoute } from '@tidegate/domain/admin';
import type { BenchEnvironment } from '../bench-environment.ts';
import type { Timing } from '../closed-loop.ts';
import { openHttpConnection } from '../http-connection.ts';
import { merchantNo, orderBody } from '../merchants.ts';
import type { Kind, Row } from '../row.ts';
import { upstreamSecret } from '../services.ts';
import { setSandboxChannel } from '../set-sandbox-channel.ts';
import { signRequests } from '../signed-requests.ts';

const alone = 'payin from create to submitted, 95 of 100';
const held = 'the same next to a channel that hangs';
const lateness = 'the latest expiry next to a channel that hangs';

const rows: readonly Row[] = [
  { name: alone, unit: 'ms' },
  { name: held, unit: 'ms', peers: [alone], aim: { atMost: 1.3 } },
  { name: lateness, unit: 'ms' },
];

/** Payins per second of the measured merchant. */
const perSecond = 20;
/** Orders of the other merchant that are due at its channel, more than the dispatcher reads. */
const hangingOrders = 3_000;
const expiring = 50;

/** Whether a channel that never answers delays the orders of another merchant's channel. It must not. */
export const hangingChannel: Kind = {
  rows,
  measure: async ({ environment, timing }, _wanted, report) => {
    const database = await environment.freshDatabase();
    const [upstream, hanging] = [await environment.start('upstream', database.url), await startHanging()];
    const domain = await environment.openDomain(database.url);
    try {
      await useChannels(domain, `http://127.0.0.1:${upstream.port}`, hanging.url);
      const rest = await environment.start('rest-adapter', database.url);
      const worker = await environment.start('order-worker', database.url);
      try {
        report(alone, { figure: await createToSubmitted(environment, domain, rest.port, timing) });
        await makeHangingOrders(domain);
        await hanging.untilAsked();
        report(held, { figure: await createToSubmitted(environment, domain, rest.port, timing) });
        report(lateness, { figure: await latestExpiry(domain) });
      } finally {
        await Promise.all([rest.stop(), worker.stop()]);
      }
    } finally {
      await domain.close();
      hanging.close();
      await upstream.stop();
      await database.drop();
    }
  },
};

/** A channel that accepts every request and answers none. */
async function startHanging(): Promise<{ url: string; untilAsked(): Promise<void>; close(): void }> {
  let calls = 0;
  const server = createServer((request) => {
    calls += 1;
    request.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    untilAsked: async () => {
      while (calls < 32) await delay(50);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function useChannels(domain: Domain, quickUrl: string, hangingUrl: string): Promise<void> {
  await setSandboxChannel(domain, { channelId: 'bank', baseUrl: quickUrl, secret: upstreamSecret });
  await setSandboxChannel(domain, { channelId: 'hangs', baseUrl: hangingUrl, secret: upstreamSecret });
  await setRoute(domain, merchantNo('payin', 2), 1, { kind: 'payin', channelId: 'hangs' });
}

/** The 95th percentile of the time from a payin's creation until its channel has accepted it, in ms. */
async function createToSubmitted(
  environment: BenchEnvironment,
  domain: Domain,
  port: number,
  timing: Timing,
): Promise<number> {
  const [{ rows: began }, connection] = [
    await domain.database.pool.query<{ now: Date }>('select clock_timestamp() as now'),
    await openHttpConnection(port),
  ];
  const count = Math.ceil((timing.warmUp + timing.seconds) * perSecond);
  const requests = await signRequests(count, environment.keys.privateKeyPem, port, () => ({
    merchantNo: merchantNo('payin', 1),
    path: '/payin/create',
    body: { ...orderBody('payin'), amount: '100.23' },
  }));
  for (const request of requests) {
    const next = delay(1_000 / perSecond);
    const { status, body } = await connection.ask(request);
    if (status !== 200) throw new Error(`answered with ${status}: ${body.slice(0, 500)}`);
    await next;
  }
  connection.close();
  const submitted = async () =>
    (
      await domain.database.pool.query<{ count: number; p95: number }>(
        `select count(*)::integer as count, percentile_cont(0.95) within group (order by extract(epoch from t.at - o.created_at) * 1000)::float8 as p95
         from orders o join order_transition t using (merchant_id, order_no)
         where o.merchant_id = $1 and o.created_at >= $2 and t."from" = 'created'`,
        [merchantNo('payin', 1), began[0]?.now],
      )
    ).rows[0];
  for (let waited = 0; ; waited += 1) {
    const found = await submitted();
    if (found && found.count >= count) return found.p95;
    if (waited > 300) throw new Error(`${found?.count} of ${count} payins were submitted`);
    await delay(100);
  }
}

/**
 * Copies a payin to the hanging channel: half of the copies are due for submission, half for polling, all for an hour.
 */
async function makeHangingOrders(domain: Domain): Promise<void> {
  await domain.database.pool.query(
    `begin; set local session_replication_role = 'replica';
     insert into orders select copy.* from orders o, generate_series(1, ${hangingOrders}) i, jsonb_populate_record(o, jsonb_build_object(
         'order_no', overlay(o.order_no placing lpad(i::text, 8, '0') from length(o.order_no) - 7), 'merchant_id', '${merchantNo('payin', 2)}',
         'merchant_order_no', 'HANGS-' || i, 'channel_id', 'hangs', 'status', 'created', 'channel_ref', null,
         'next_action', case when i % 2 = 0 then 'submit' else 'poll' end, 'next_action_at', clock_timestamp() - interval '1 hour')) copy
       where o.order_no = (select order_no from orders where merchant_id = '${merchantNo('payin', 1)}' limit 1);
     commit`,
  );
}

/** Lets some payins expire in a second, and returns in ms how late the last of them was expired. */
async function latestExpiry(domain: Domain): Promise<number> {
  const { pool } = domain.database;
  const { rows } = await pool.query<{ orderNo: string }>(
    `update orders set expires_at = clock_timestamp() + interval '1 s', next_action = 'expire', next_action_at = clock_timestamp() + interval '1 s'
     where order_no in (select order_no from orders where merchant_id = $1 and status = 'processing' limit $2) returning order_no as "orderNo"`,
    [merchantNo('payin', 1), expiring],
  );
  for (let waited = 0; ; waited += 1) {
    const ended = await pool.query<{ count: number; late: number }>(
      `select count(*)::integer as count, max(extract(epoch from t.at - o.expires_at) * 1000)::float8 as late
       from orders o join order_transition t using (merchant_id, order_no) where o.order_no = any($1) and t."to" = 'cancelled'`,
      [rows.map(({ orderNo }) => orderNo)],
    );
    const { count = 0, late = 0 } = ended.rows[0] ?? {};
    if (count === rows.length) return late;
    if (waited > 600) throw new Error(`${count} of ${rows.length} payins expired within a minute`);
    await delay(100);
  }
}
