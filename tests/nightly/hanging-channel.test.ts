import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel, setRoute } from '../../packages/domain/src/entries/admin.ts';
import { openDomain } from '../../packages/domain/src/index.ts';
import { type BreakableLink, linkTo } from '../../packages/rest-adapter/test/breakable-link.ts';
import { adaptersFor } from '../../packages/upstream/src/index.ts';
import { withoutLimit } from '../../packages/upstream/src/testing/channel-tools.ts';
import { type MerchantClient, merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import { payinRequest } from '../payin-requests.ts';
import { payoutRequest } from '../payout-requests.ts';
import { runServices } from '../run-services/ask-services.ts';

// The effect of a hanging channel on the orders of another one (ADR 0012), measured with real processes. Two merchants
// of India create orders at a fixed rate, each through a channel of its own. The second channel answers, or accepts
// connections and never answers, in turn.

const kinds = ['payin', 'payout'] as const;
type Kind = (typeof kinds)[number];

/** Orders of each merchant and kind in a second: far below what the processes can do. */
const ordersPerSecond = 6;
const measuredSeconds = 6;
/** Time until the hanging calls hold all of their slots: four of the worker's 16 submits. */
const hangSeconds = 2.5;
/** Other load on the machine may spoil one or two. If most say that the other channel was slower, more follow: only a real effect stays. */
const pairs = { least: 5, most: 15 };
const maxRatio = 1.3;
/** A smaller difference is noise of the machine, in ms. */
const noiseMs = 25;
/** What the sandbox's upstream does, by the cents: pays after a second, or refuses at once, which leaves no work behind. */
const [paid, refused] = ['20.00', '20.11'];

let fleet: Fleet;
let link: BreakableLink;
let quick: MerchantClient;
let hanging: MerchantClient;
const quickNo = 'IN10001';
const hangingNo = 'IN10002';

beforeAll(async () => {
  fleet = await startFleet();
  link = await linkTo(fleet.upstreamUrl);
  await routeThroughLink();
  const { url } = await fleet.start('rest');
  const settings = { WORKER_SUBMIT_CONCURRENCY: '16', WORKER_POLL_CONCURRENCY: '16' };
  await fleet.start('worker', [], settings);
  const clientOf = (no: string): MerchantClient => {
    const merchant = fleet.merchants.find(({ merchantNo }) => merchantNo === no);
    return merchantClient(url, no, merchant?.privateKeyPem ?? '');
  };
  [quick, hanging] = [clientOf(quickNo), clientOf(hangingNo)];
}, 240_000);
afterAll(async () => {
  await fleet?.stop();
  await link?.close();
}, 60_000);

/** Gives the second merchant a channel of its own, which reaches the same upstream over the link. */
async function routeThroughLink(): Promise<void> {
  const { secrets } = await runServices.seedKeys();
  const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: console.error };
  const domain = await openDomain({
    databaseUrl: fleet.databaseUrl,
    keys: secrets.keys,
    publicBaseUrl: '',
    adapters: adaptersFor({ environment: 'sandbox', allowCidrs: [], limiter: withoutLimit }),
    log: quiet,
    wakeUp: () => undefined,
    connections: 2,
  });
  const credentials = { secret: secrets.upstream };
  await setChannel(domain, { channelId: 'hanging', adapter: 'sandbox', baseUrl: link.url, credentials });
  await setRoute(domain, hangingNo, 1, { kind: 'payin', channelId: 'hanging' });
  await setRoute(domain, hangingNo, 2, { kind: 'payout', channelId: 'hanging', mode: 'upstream' });
  await domain.close();
}

interface Created {
  kind: Kind;
  merchantOrderNo: string;
  /** How long it took until the create was answered, in ms. */
  answered: Promise<number>;
}

/**
 * The code of the answer. On a busy machine the service may answer that it is unavailable. Then the request is sent
 * again, and the answer that the order exists already counts as success.
 */
async function untilAvailable(post: () => Promise<{ code: number }>, until: number): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const { code } = await post();
    if (code === 40901 && tries > 1) return 0;
    if (code !== 50300 || performance.now() > until) return code;
    await delay(100);
  }
}

let count = 0;
function createOrder(client: MerchantClient, kind: Kind, amount: string): Created {
  count += 1;
  const merchantOrderNo = `H-${count}`;
  const request = (kind === 'payin' ? payinRequest : payoutRequest).IN;
  const body = request?.(merchantOrderNo, amount, `${fleet.receiverUrl}/notify`) ?? {};
  const began = performance.now();
  const post = () => client.post(`/${kind}/create`, body);
  const answered = untilAvailable(post, began + 30_000).then((code) => {
    if (code !== 0 && amount === paid) throw new Error(`the create of ${merchantOrderNo} was answered with ${code}`);
    return performance.now() - began;
  });
  return { kind, merchantOrderNo, answered };
}

/** All requests to the hanging channel. They are awaited at the end. */
const requests: Promise<unknown>[] = [];

/** Creates orders of both merchants at the fixed rate, whether or not earlier ones are answered. Returns those of the first merchant. */
async function createAtRate(seconds: number): Promise<Created[]> {
  const began = performance.now();
  const created: Created[] = [];
  for (let n = 0; n < seconds * ordersPerSecond; n += 1) {
    for (const kind of kinds) {
      created.push(createOrder(quick, kind, paid));
      requests.push(createOrder(hanging, kind, refused).answered.catch(() => undefined));
    }
    await delay(Math.max(0, began + ((n + 1) * 1_000) / ordersPerSecond - performance.now()));
  }
  return created;
}

/**
 * The 95th percentile from create to submitted, in ms. A payin is submitted within the request, so its time is that of
 * the request. A payout is submitted by the worker: its time ends with the answer of the channel, by the call log.
 */
async function p95Of(created: readonly Created[]): Promise<number> {
  const answers = await Promise.all(created.map(({ answered }) => answered));
  const requested = answers.filter((_, i) => created[i]?.kind === 'payin');
  const payouts = created.filter(({ kind }) => kind === 'payout').map(({ merchantOrderNo }) => merchantOrderNo);
  let submitted: number[] = [];
  const areAll = async (): Promise<boolean> => {
    submitted = await submittedAfter(payouts);
    return submitted.length >= payouts.length;
  };
  await waitUntil('all payouts of the quick channel submitted', areAll, { timeoutMs: 30_000, everyMs: 250 });
  const ascending = [...requested, ...submitted].toSorted((a, b) => a - b);
  return ascending[Math.ceil(ascending.length * 0.95) - 1] ?? Number.NaN;
}

async function submittedAfter(merchantOrderNos: readonly string[]): Promise<number[]> {
  const rows = await fleet.rows<{ ms: number }>(
    `select (extract(epoch from c.started_at - o.created_at) * 1000)::float8 + c.duration_ms as ms
     from orders o join channel_call c using (merchant_id, order_no)
     where o.merchant_id = $1 and o.merchant_order_no = any($2) and c.operation = 'create' and c.outcome = 'accepted'`,
    [quickNo, merchantOrderNos],
  );
  return rows.map(({ ms }) => ms);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The payouts that wait to be sent to the hanging channel, or for its answer. */
async function unsubmitted(): Promise<number> {
  const [row] = await fleet.rows<{ count: number }>(
    "select count(*)::integer as count from orders where channel_id = 'hanging' and next_action = 'submit'",
  );
  return row?.count ?? 0;
}

async function measureHanging(): Promise<number> {
  link.stall();
  await createAtRate(hangSeconds);
  const created = await createAtRate(measuredSeconds);
  // The channel hangs, and has far more work than slots.
  expect(await unsubmitted()).toBeGreaterThan((ordersPerSecond * measuredSeconds) / 2);
  const p95 = await p95Of(created);
  link.repair();
  await waitUntil('the other channel caught up', async () => (await unsubmitted()) === 0, { timeoutMs: 30_000 });
  return p95;
}

test('with one channel hanging, the p95 from create to submitted of another rises at most 1.3 times', {
  timeout: 480_000,
}, async () => {
  // The first requests of new processes are slow.
  await p95Of(await createAtRate(4));
  const measured: { alone: number; beside: number }[] = [];
  const ratioOf = () => median(measured.map(({ alone, beside }) => beside / alone));
  const differenceOf = () => median(measured.map(({ alone, beside }) => beside - alone));
  const isSlower = () => differenceOf() > noiseMs && ratioOf() > maxRatio;
  while (measured.length < pairs.least || (isSlower() && measured.length < pairs.most)) {
    const alone = await p95Of(await createAtRate(measuredSeconds));
    measured.push({ alone, beside: await measureHanging() });
  }
  const inWords = measured.map(({ alone, beside }) => `${alone.toFixed(0)} and ${beside.toFixed(0)} ms`);
  console.log(`p95 from create to submitted, without and with a hanging channel: ${inWords.join('; ')}`);
  const medians = `ratio ${ratioOf().toFixed(2)}, difference ${differenceOf().toFixed(0)} ms`;
  console.log(`medians: ${medians}`);
  expect(isSlower(), medians).toBe(false);
  await Promise.all(requests);
  expect(await fleet.violations()).toEqual([]);
});
