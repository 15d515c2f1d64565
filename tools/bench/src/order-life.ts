import { setTimeout as sleep } from 'node:timers/promises';
import type { Domain, OrderKind } from '@tidegate/domain';
import { orderSearchUntil } from '@tidegate/domain/worker';
import { waitUntil } from '@tidegate/sandbox';
import type { BenchEnvironment } from './bench-environment.ts';
import { merchantNo, merchantPrefix, orderBody } from './merchants.ts';
import type { Waits } from './open-loop.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { arriveAtRest } from './send-to-rest.ts';
import { upstreamSecret } from './services.ts';
import { setSandboxChannel } from './set-sandbox-channel.ts';
import { signRequests } from './signed-requests.ts';

/** Which orders are sent, and how they end. */
export interface LifeOf {
  kind: OrderKind;
  /** The last two digits of each amount. The sandbox upstream chooses by them what happens to an order. */
  cents: string;
}

/** The processes that take orders through their whole life. */
export interface Life {
  /** Sends orders at this rate for some seconds, and waits until nothing is left to do for them. */
  send(perSecond: number, seconds: number): Promise<Sent>;
  /** Sends nothing for some seconds. Returns the processor time in µs that each process used in one of them. */
  rest(seconds: number): Promise<Record<string, number>>;
  close(): Promise<void>;
}

export interface Sent {
  orders: number;
  /** From the first create until all work for the orders was done. */
  seconds: number;
  /** The waits for the answers to the creates. */
  waits: Waits;
  /** Processor time per order by process, in µs. `bench` has the receiver and the sandbox upstream too. */
  cpuUs: Record<string, number>;
}

/** The most merchants whose orders are mixed. */
export const mostMerchants = 100;
const connections = 64;
const doneWithinMs = 120_000;

/** Starts a REST adapter, one worker with all queues, the sandbox upstream and a merchant's receiver. */
export async function openLife(environment: BenchEnvironment, of: LifeOf): Promise<Life> {
  const database = await environment.freshDatabase();
  const closing: (() => Promise<unknown> | undefined)[] = [() => database.drop()];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const receiver = await startReceiver();
    closing.push(async () => receiver.close());
    const upstream = await environment.start('upstream', database.url);
    closing.push(upstream.stop);
    const domain = await environment.openDomain(database.url);
    closing.push(() => domain.close());
    const baseUrl = `http://127.0.0.1:${upstream.port}`;
    await setSandboxChannel(domain, { channelId: 'bank', baseUrl, secret: upstreamSecret });
    const rest = await environment.start('rest-adapter', database.url);
    closing.push(rest.stop);
    const worker = await environment.start('whole-worker', database.url, rest.port);
    closing.push(worker.stop);
    const merchants = await countMerchants(domain, of.kind);
    const place = { environment, domain, receiver, port: rest.port, merchants };
    return {
      send: (perSecond, seconds) => sendOrders(place, of, perSecond, seconds),
      rest: async (seconds) => {
        const cpuOf = environment.countCpu();
        await sleep(seconds * 1_000);
        return byProcess(cpuOf(seconds));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Place {
  environment: BenchEnvironment;
  domain: Domain;
  receiver: Receiver;
  port: number;
  merchants: number;
}

async function sendOrders(place: Place, { kind, cents }: LifeOf, perSecond: number, seconds: number): Promise<Sent> {
  const { environment, domain, receiver, port, merchants } = place;
  const orders = Math.max(1, Math.floor(perSecond * seconds));
  const requests = await signRequests(orders, environment.keys.privateKeyPem, port, () => {
    const body = orderBody(kind);
    const amount = String(body.amount).replace(/\d\d$/, cents);
    const no = merchantNo(kind, 1 + Math.floor(Math.random() * merchants));
    return { merchantNo: no, path: `/${kind}/create`, body: { ...body, amount, notifyUrl: receiver.url } };
  });
  const { rows: began } = await domain.database.pool.query<{ now: Date }>('select clock_timestamp() as now');
  const receivedBefore = receiver.received();
  const from = performance.now();
  const cpuOf = environment.countCpu();
  const waits = await arriveAtRest(port, { perSecond, connections }, requests, { warmUp: 0, seconds });
  const [allReceived, allDone] = [
    async () => receiver.received() - receivedBefore >= orders,
    async () => isDone(await readEnds(domain, began[0]?.now), orders, await orderSearchUntil(domain)),
  ];
  // The receiver is asked first, because questions to the database cost what is being measured.
  await waitUntil(`notifications of ${orders} orders`, allReceived, { timeoutMs: doneWithinMs });
  await waitUntil(`the end of ${orders} orders`, allDone, { timeoutMs: doneWithinMs, everyMs: 250 });
  const cpuUs = byProcess(cpuOf(orders));
  const received = receiver.received() - receivedBefore;
  if (received !== orders) throw new Error(`${received} notifications arrived for ${orders} orders`);
  return { orders, seconds: (performance.now() - from) / 1000, waits, cpuUs };
}

function byProcess({ upstream = 0, bench = 0, 'whole-worker': worker = 0, ...others }: Record<string, number>) {
  return { ...others, worker, bench: bench + upstream };
}

interface Ends {
  orders: number;
  completed: number;
  delivered: number;
  newest: number;
}

/** How many orders since then exist, are completed, and had their notification acknowledged. */
async function readEnds(domain: Domain, since: Date | undefined): Promise<Ends> {
  const { rows } = await domain.database.pool.query<Ends>(
    `select count(*)::integer as orders, count(*) filter (where o.status = 'completed')::integer as completed,
       count(*) filter (where n.state = 'delivered')::integer as delivered,
       coalesce(max(extract(epoch from o.created_at) * 1000), 0)::float8 as newest
     from orders o left join notification n using (merchant_id, order_no) where o.created_at >= $1`,
    [since],
  );
  return rows[0] ?? { orders: 0, completed: 0, delivered: 0, newest: 0 };
}

function isDone(ends: Ends, wanted: number, findableUntil: number | null): boolean {
  const { orders, completed, delivered, newest } = ends;
  return [orders, completed, delivered].every((count) => count === wanted) && (findableUntil ?? 0) > newest;
}

async function countMerchants(domain: Domain, kind: OrderKind): Promise<number> {
  const { rows } = await domain.database.pool.query<{ count: number }>(
    'select count(*)::integer as count from merchant where merchant_id like $1',
    [`${merchantPrefix(kind)}%`],
  );
  return Math.min(mostMerchants, rows[0]?.count ?? 0);
}
