import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { payUrlOf } from '@tidegate/domain';
import {
  aFundedMerchant,
  aMerchant,
  makeExpired,
  openTestDomain,
  type TestDomain,
  testKeysOf,
} from '@tidegate/domain/testing';
import { addJobs, connectRedis, openQueue, type QueueName } from '@tidegate/queue';
import { createTestDatabase, createTestRedis } from '@tidegate/sandbox/testing';
import { workerSettings } from '@tidegate/settings';
import { parsePrivateKey } from '@tidegate/signature';
import { expect, vi } from 'vitest';
import { restDomainOf } from '../../rest-adapter/src/request/rest-domain.ts';
import { leastPayout } from '../../rest-adapter/test/payout-fixture.ts';
import { ask, type Envelope, signedGet, signedPost, startFixture } from '../../rest-adapter/test/rest-fixture.ts';
import { openFullChannels } from '../src/channels/full-channels.ts';
import { makeConnector } from '../src/delivery/connector.ts';
import { makeDeliver } from '../src/delivery/deliver.ts';
import { openDeliverySlots } from '../src/delivery-slots/delivery-slots.ts';
import { queuesOf, runQueues } from '../src/run-queues.ts';
import { keepScheduled } from '../src/schedules.ts';

// The way of an order through the REST adapter and the worker, in this process, with a real PostgreSQL and Redis.

interface Merchant {
  merchantId: string;
  privateKeyPem: string;
}

export interface HotPath {
  real: TestDomain;
  /**
   * Takes orders of several merchants through all that happens to them: created, submitted, polled, reported by
   * callbacks, expired, queried, shown to their payers, and reported to their merchants, at first without success.
   */
  run(): Promise<void>;
  close(): Promise<void>;
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const scheduleScale = 0.01;
/** The endpoint refuses its first requests, so that they are repeated. */
const refusals = 3;

export async function openHotPath(): Promise<HotPath> {
  const real = await openTestDomain((await createTestDatabase()).url, { scheduleScale });
  const rest = await startFixture({ domain: restDomainOf(real.domain) });
  const worker = await startWorker(real);
  const endpoint = await startEndpoint();
  const merchants = await Promise.all([aMerchant(real.domain, 'CN'), aMerchant(real.domain, 'CN')]);
  const payer = await aMerchant(real.domain, 'TH');
  const payee = await aFundedMerchant(real.domain, 'IN');
  return {
    real,
    run: () => runOrders({ real, url: rest.url, endpoint, delivered: worker.delivered, merchants, payer, payee }),
    close: async () => {
      await worker.stop();
      endpoint.close();
      await rest.close();
      await real.close();
    },
  };
}

interface Parts {
  real: TestDomain;
  url: string;
  endpoint: { url: string; received: Set<string> };
  delivered: () => number;
  merchants: Merchant[];
  payer: Merchant;
  payee: Merchant;
}

async function runOrders({ real, url, endpoint, delivered, merchants, payer, payee }: Parts): Promise<void> {
  const post = async ({ merchantId, privateKeyPem }: Merchant, path: string, body: object): Promise<string> => {
    const text = JSON.stringify({ ...body, notifyUrl: endpoint.url });
    const init = await signedPost(merchantId, text, { key: parsePrivateKey(privateKeyPem) });
    return String(dataOf(await ask(`${url}/api/v1/merchant${path}`, init)).orderNo);
  };
  const get = async ({ merchantId, privateKeyPem }: Merchant, path: string, query = '') => {
    const init = await signedGet(merchantId, query, { key: parsePrivateKey(privateKeyPem) });
    return dataOf(await ask(`${url}/api/v1/merchant${path}${query && `?${query}`}`, init));
  };
  const open = new Set<string>();
  const failing = new Set<string>();
  real.channel.answers.query = (orderNo) =>
    failing.has(orderNo)
      ? { outcome: 'failed', reason: 'no such account' }
      : open.has(orderNo)
        ? { outcome: 'accepted' }
        : { outcome: 'paid', payments: [{ reference: `R-${orderNo}`, amount: '100.00' }] };

  const shown = { bankCode: 'QR', extJson: { accountNo: '123' }, amount: '100.00' };
  const [reported, expiring] = [
    await post(payer, '/payin/create', { ...shown, merchantOrderNo: 'REPORTED' }),
    await post(payer, '/payin/create', { ...shown, merchantOrderNo: 'EXPIRING' }),
  ];
  open.add(reported).add(expiring);
  const numbers = Array.from({ length: 8 }, (_, i) => `M-${i}`);
  const payin = { countryCode: 'CN', currency: 'CNY', amount: '100.00' };
  const payins = await Promise.all(
    merchants.flatMap((merchant) =>
      numbers.map((merchantOrderNo) => post(merchant, '/payin/create', { ...payin, merchantOrderNo })),
    ),
  );
  const payouts = await Promise.all(numbers.map((no) => post(payee, '/payout/create', leastPayout('IN', no))));
  failing.add(payouts[0] ?? '');

  // Queries that arrive together share a statement; a single one has its own.
  for (const query of [`orderNo=${payins[0]}`, 'merchantOrderNo=M-0'])
    await get(merchants[0] as Merchant, '/payin/query', query);
  await Promise.all(numbers.flatMap((no) => merchants.map((one) => get(one, '/payin/query', `merchantOrderNo=${no}`))));
  await Promise.all(payouts.map((no) => get(payee, '/payout/query', `orderNo=${no}`)));
  await get(payee, '/wallet');
  await get(payee, '/wallet/transactions', 'page=1&pageSize=10');
  const page = new URL(payUrlOf(real.domain, reported)).pathname;
  expect((await fetch(`${url}${page}`)).status).toBe(200);

  const paid = (reference: string) => ({ outcome: 'paid', payments: [{ reference, amount: '100.00' }] });
  for (const orderNo of [reported, 'PI-NOT-OURS'])
    await callBack(url, { orderNo, kind: 'payin', currency: 'THB', answer: paid(`C-${orderNo}`) });
  await makeExpired(real.domain, { merchantId: payer.merchantId, orderNo: expiring });
  const all = [...payins, ...payouts, reported, expiring];
  await vi.waitFor(
    () => {
      expect([...endpoint.received].toSorted()).toEqual(all.toSorted());
      expect(delivered()).toBe(all.length);
    },
    { timeout: 30_000, interval: 50 },
  );
}

function dataOf({ code, msg, data }: Envelope): Record<string, unknown> {
  if (code !== 0 || !data) throw new Error(`answered with ${code}: ${msg}`);
  return data;
}

async function callBack(url: string, report: object): Promise<void> {
  const answer = await fetch(`${url}/upstream/fake/callback`, { method: 'POST', body: JSON.stringify(report) });
  expect([answer.status, await answer.text()]).toEqual([200, 'OK']);
}

/** All queues. `dispatch` finds the work, without wake-ups. */
async function startWorker({ domain }: TestDomain) {
  const { url } = await createTestRedis();
  const blocking = connectRedis(url, 'worker', silent);
  const producing = connectRedis(url, 'producer', silent);
  const queues = new Map(queuesOf([]).map((name) => [name, openQueue(name, producing)]));
  const queueOf = (name: QueueName) => queues.get(name) ?? openQueue(name, producing);
  const connector = makeConnector();
  let delivered = 0;
  const required = { PORT: '0', TIDEGATE_KEYS: testKeysOf('worker'), TIDEGATE_ENV: 'sandbox' };
  const urls = { PUBLIC_BASE_URL: 'http://pay.test', DATABASE_URL: 'postgres://x', REDIS_URL: url };
  const running = runQueues({
    queues: queuesOf([]),
    connection: blocking,
    context: {
      domain,
      deliver: makeDeliver(domain, connector),
      slots: openDeliverySlots(producing, { scheduleScale }),
      fullChannels: openFullChannels(producing),
      notified: (outcome) => {
        if (outcome === 'delivered') delivered += 1;
      },
      add: (name, works) => addJobs(queueOf(name), works),
      countWaiting: (name) => queueOf(name).getWaitingCount(),
    },
    settings: workerSettings.schema.parse({ ...required, ...urls }),
    done: () => undefined,
  });
  const dispatching = keepScheduled('dispatch', queueOf('dispatch'), scheduleScale, silent);
  return {
    delivered: () => delivered,
    stop: async () => {
      dispatching.stop();
      await running.drain();
      await connector.close();
      producing.disconnect();
      blocking.disconnect();
    },
  };
}

/** A merchant's endpoint. `received`: the order numbers that it acknowledged. */
async function startEndpoint() {
  const received = new Set<string>();
  let requests = 0;
  const server = createServer(async (request, response) => {
    const { orderNo } = (await json(request)) as { orderNo: string };
    requests += 1;
    if (requests <= refusals) return void response.writeHead(500).end();
    received.add(orderNo);
    response.end('OK');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notify`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
