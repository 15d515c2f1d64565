import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallbackResult, Channel, ChannelOrder } from '@tidegate/domain/channels';
import { vi } from 'vitest';
import { createSandboxChannel } from '../sandbox/client.ts';
import { startSandboxUpstream } from '../sandbox-server/server.ts';
import { memoryOfOneProcess } from './channel-tools.ts';
import { loopbackClient, openReceiver, type ReceivedCallback } from './loopback.ts';

interface ReadCallback extends ReceivedCallback {
  read: CallbackResult;
}

/** A sandbox upstream, a channel for it, and a receiver of its callbacks, all over HTTP on loopback. */
export interface FakeUpstream {
  url: string;
  channel: Channel;
  channelAt(baseUrl: string, secret?: string): Channel;
  /** A new order with ordinary values by default. */
  order(changed?: Partial<ChannelOrder>): ChannelOrder;
  /** Callbacks about an order, in the order of arrival. */
  callbacks(orderNo: string): ReadCallback[];
  /** Sets the receiver's answer from now on. */
  receiver: { status: number };
  /** The upstream's list of orders. */
  listed(orderNo: string): Promise<ListedOrder | undefined>;
  /** Restarts the upstream on the same journal and port. `between` runs while it is down. */
  restart(between?: () => Promise<void>): Promise<void>;
  stateFile: string;
  close(): Promise<void>;
}

interface ListedOrder {
  orderNo: string;
  creates: number;
  status?: string;
  payments?: { reference: string; amount: string }[];
}

export const FAKE_UPSTREAM_SECRET = 'a secret of the tests only';

/** A signal that ends a call after this number of milliseconds. */
export const within = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);

/** Repeats `fact` until it no longer throws, and returns its result. */
export const eventually = <T>(fact: () => T | Promise<T>): Promise<T> =>
  Promise.resolve(vi.waitFor(fact, { timeout: 10_000, interval: 20 }));

let orders = 0;

export async function openFakeUpstream({ timeFactor = 0.02 } = {}): Promise<FakeUpstream> {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-upstream-'));
  const stateFile = join(folder, 'journal.jsonl');
  const http = loopbackClient();
  const channelAt = (baseUrl: string, secret = FAKE_UPSTREAM_SECRET): Channel =>
    createSandboxChannel({ channelId: 'stage', baseUrl, credentials: { secret }, memory: memoryOfOneProcess() }, http);
  let upstream = await startSandboxUpstream({ port: 0, stateFile, secret: FAKE_UPSTREAM_SECRET, timeFactor });
  const { url } = upstream;
  const channel = channelAt(url);
  const receiver = { status: 200 };
  const received: ReadCallback[] = [];
  const callbacks = await openReceiver(({ headers, body }) => {
    received.push({ headers, body, read: channel.parseCallback(headers, body) });
    return { status: receiver.status };
  });
  const callbackUrl = `${callbacks.url}/callback`;
  return {
    url,
    channel,
    channelAt,
    stateFile,
    receiver,
    order(changed = {}) {
      orders += 1;
      const orderNo = `${changed.kind === 'payout' ? 'PO' : 'PI'}STAGE${process.pid}X${orders}`;
      const party = { name: 'Somchai Jaidee', account: '1234567890' };
      const money = { country: 'TH', currency: 'THB', amount: '100.00', createdAt: Date.now() };
      return { kind: 'payin', orderNo, ...money, party, callbackUrl, ...changed };
    },
    callbacks: (orderNo) => received.filter(({ read }) => read.type === 'report' && read.orderNo === orderNo),
    async listed(orderNo) {
      const reply = await fetch(`${url}/orders?limit=10000`);
      const { orders: all } = (await reply.json()) as { orders: ListedOrder[] };
      return all.find((one) => one.orderNo === orderNo);
    },
    async restart(between) {
      await upstream.close();
      await between?.();
      upstream = await startSandboxUpstream({
        port: Number(new URL(url).port),
        stateFile,
        secret: FAKE_UPSTREAM_SECRET,
        timeFactor,
      });
    },
    async close() {
      await upstream.close();
      await callbacks.close();
      await http.close();
      await rm(folder, { recursive: true });
    },
  };
}
