import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OwnCluster, type OwnNode, startOwnCluster } from '../../packages/queue/test/own-cluster.ts';
import { parsePrivateKey, signedHeaders } from '../../packages/signature/src/index.ts';
import { type Answer, merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import type { Member } from '../fleet-member.ts';
import { payinRequest } from '../payin-requests.ts';
import { payoutRequest } from '../payout-requests.ts';

// The processes on a real Redis Cluster of three nodes.

let cluster: OwnCluster;
let fleet: Fleet;
let restUrl: string;
let rest: Member;
let worker: Member;
const limited = 'PK10002';
beforeAll(async () => {
  cluster = await startOwnCluster();
  fleet = await startFleet({ scale: 0.1, redisUrl: cluster.url });
  await fleet.rows('update merchant set requests_per_second = 1, request_burst = 5 where merchant_id = $1', [limited]);
  rest = await fleet.start('rest');
  worker = await fleet.start('worker');
  restUrl = rest.url;
}, 300_000);
afterAll(async () => {
  await fleet?.stop();
  await cluster?.remove();
}, 60_000);

function merchantOf(country: string) {
  const merchant = fleet.merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  return merchant;
}

let count = 0;
async function create(country: string, kind: 'payin' | 'payout'): Promise<Answer & { ms: number }> {
  const { merchantNo, privateKeyPem } = merchantOf(country);
  const request = (kind === 'payin' ? payinRequest : payoutRequest)[country];
  const body = request?.(`R-${++count}`, '30.00', `${fleet.receiverUrl}/notify/${merchantNo}`) ?? {};
  const began = performance.now();
  const answer = await merchantClient(restUrl, merchantNo, privateKeyPem).post(`/${kind}/create`, body);
  return { ...answer, ms: performance.now() - began };
}

/** Creates a payin in each country, and a payout in each that has them, and waits for their ends and notifications. */
async function ordersComeToTheirEnd(): Promise<void> {
  const answers = await Promise.all([
    ...['CN', 'TH', 'IN', 'PK'].map((country) => create(country, 'payin')),
    ...['IN', 'PK'].map((country) => create(country, 'payout')),
  ]);
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  const orderNos = answers.map(({ data }) => String(data?.orderNo));
  await waitUntil(
    'the orders completed and notified',
    async () => {
      const rows = await fleet.rows<{ status: string }>('select status from orders where order_no = any($1)', [
        orderNos,
      ]);
      return rows.every(({ status }) => status === 'completed') && orderNos.every((no) => isReceived(no));
    },
    { timeoutMs: 60_000 },
  );
}

const isReceived = (orderNo: string) => fleet.received.some((one) => one.orderNo === orderNo && one.acknowledged);

/** The node on which the jobs of a queue lie. */
async function nodeOf(queue: string): Promise<OwnNode> {
  for (const node of cluster.masters) {
    const slot = await node.ask((redis) => redis.cluster('KEYSLOT', `{tidegate-${queue}}`));
    const answer = await node.ask((redis) => redis.cluster('COUNTKEYSINSLOT', Number(slot)));
    if (Number(answer) > 0) return node;
  }
  throw new Error(`no node holds ${queue}`);
}

test('orders reach their final status on a Redis Cluster, and the queues are on several nodes', {
  timeout: 120_000,
}, async () => {
  await ordersComeToTheirEnd();
  const held = await Promise.all(cluster.masters.map((node) => node.ask((redis) => redis.keys('{tidegate-*'))));
  expect(held.filter((keys) => keys.length > 0).length).toBeGreaterThan(1);
});

test('a nonce is accepted once, whichever node stores its key', { timeout: 60_000 }, async () => {
  for (let n = 0; n < 12; n++) {
    const { merchantNo, privateKeyPem } = merchantOf(['CN', 'TH', 'IN', 'PK'][n % 4] as string);
    const key = parsePrivateKey(privateKeyPem);
    const headers = await signedHeaders({ merchantNo, query: '', key });
    const codes = [];
    for (let times = 0; times < 2; times++) {
      const response = await fetch(`${restUrl}/api/v1/merchant/wallet`, { headers: { ...headers } });
      codes.push(((await response.json()) as { code: number }).code);
    }
    expect(codes).toEqual([0, 40103]);
  }
});

test('requests above the limit are refused', { timeout: 60_000 }, async () => {
  const merchant = fleet.merchants.find(({ merchantNo }) => merchantNo === limited);
  const client = merchantClient(restUrl, limited, merchant?.privateKeyPem ?? '');
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/wallet', {})));
  const passed = answers.filter(({ code }) => code === 0).length;
  expect(passed).toBeGreaterThanOrEqual(5);
  expect(passed).toBeLessThan(12);
  expect(answers.filter(({ code }) => code === 42900)).toHaveLength(20 - passed);
});

/**
 * Sends requests one after the other until `enough` of them were answered with `code`; every refusal is 50300.
 * The merchants of all countries take part in rotation, as the keys of each may lie on another node.
 * Returns how long the slowest refusal took, in ms.
 */
async function requestsUntil(code: number, enough: number): Promise<number> {
  let slowest = 0;
  let seen = 0;
  let calls = 0;
  const clients = ['CN', 'TH', 'IN', 'PK'].map((country) => {
    const { merchantNo, privateKeyPem } = merchantOf(country);
    return merchantClient(restUrl, merchantNo, privateKeyPem);
  });
  const look = async (): Promise<boolean> => {
    const began = performance.now();
    const answer = await (clients[calls++ % clients.length] as (typeof clients)[0]).get('/wallet', {});
    expect([0, 50300]).toContain(answer.code);
    if (answer.code === 50300) slowest = Math.max(slowest, performance.now() - began);
    seen = answer.code === code ? seen + 1 : 0;
    return seen >= enough;
  };
  await waitUntil(`${enough} answers of ${code} in a row`, look, { timeoutMs: 30_000, everyMs: 20 });
  return slowest;
}

test('after a node is killed requests are refused within a second, and work continues when it is back', {
  timeout: 180_000,
}, async () => {
  const target = await nodeOf('notify');
  await target.kill();
  const slowest = await requestsUntil(50300, 5);
  expect(slowest).toBeLessThan(1_000);
  const isUnready = async () => (await fetch(`${restUrl}/readyz`)).status === 503;
  await waitUntil('the REST adapter unready', isUnready, { timeoutMs: 10_000 });
  await target.startAgain();
  await cluster.whole();
  const began = performance.now();
  await requestsUntil(0, 20);
  const recoveredMs = performance.now() - began;
  expect(recoveredMs).toBeLessThan(5_000);
  await ordersComeToTheirEnd();
  console.log(
    `redis cluster: a node killed, slowest 50300 after ${Math.round(slowest)} ms, ` +
      `20 in a row answered ${Math.round(recoveredMs)} ms after the cluster was whole`,
  );
});

test('after a node is killed its replica takes over, and work continues by itself', { timeout: 180_000 }, async () => {
  const target = await nodeOf('submit');
  const replica = await cluster.addReplica(target);
  await target.kill();
  const began = performance.now();
  const isMaster = async () => (await replica.ask((redis) => redis.info('replication'))).includes('role:master');
  await waitUntil('the replica took over', isMaster, { timeoutMs: 30_000 });
  await cluster.whole();
  await requestsUntil(0, 50);
  console.log(
    `redis cluster: a replica took over, 50 in a row answered after ${Math.round(performance.now() - began)} ms`,
  );
  await ordersComeToTheirEnd();
  expect(await fleet.violations()).toEqual([]);
  for (const member of [rest, worker]) expect((await member.terminate()).how).toBe('exit code 0');
});
