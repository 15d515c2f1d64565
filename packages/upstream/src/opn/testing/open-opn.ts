import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  type CallbackHeaders,
  type CallbackResult,
  type Channel,
  type ChannelMemory,
  type ChannelOrder,
  networks,
} from '@tidegate/domain/channels';
import type { RunningFake } from '../../fake-provider/index.ts';
import { createHttpClient } from '../../http-client.ts';
import type { RateLimiter } from '../../provider-adapter.ts';
import { memoryOfOneProcess, withoutLimit } from '../../testing/channel-tools.ts';
import { opnFake } from '../fake/index.ts';
import { opn } from '../index.ts';

export interface ReceivedWebhook {
  headers: CallbackHeaders;
  body: Uint8Array;
  read: CallbackResult;
}

/** A fake of Opn, a channel for it, and the receiver of its webhooks, on loopback. */
export interface OpnSetup {
  url: string;
  secretKey: string;
  publicKey: string;
  webhookSecret: string;
  channel: Channel;
  memory: ChannelMemory;
  channelAt(baseUrl: string, changed?: OpnChanges): Channel;
  order(changed?: Partial<ChannelOrder>): ChannelOrder;
  control(name: string, input?: object): Promise<Record<string, unknown>>;
  /** The charges of an order at Opn. */
  charges(orderNo: string): Promise<{ id: string; status: string }[]>;
  /** Webhooks that came so far, in the order of arrival. */
  received: ReceivedWebhook[];
  webhooks(orderNo: string): ReceivedWebhook[];
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface OpnChanges {
  channelId?: string;
  credentials?: Record<string, string>;
  limiter?: RateLimiter;
  memory?: ChannelMemory;
}

let orders = 0;

export const within = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);

export async function openOpn({ timeFactor = 0.02 } = {}): Promise<OpnSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-opn-'));
  const { credentials, account } = opnFake.makeAccount();
  const http = createHttpClient({ allowed: networks(['127.0.0.0/8', '::1/128']) });
  const memory = memoryOfOneProcess();
  const received: ReceivedWebhook[] = [];
  let channel: Channel | undefined;
  const receiver = await openReceiver((headers, body) => {
    const read = channel?.parseCallback(headers, body) ?? { type: 'nothing', detail: 'too early' };
    received.push({ headers, body, read });
  });
  const start = (port: number): Promise<RunningFake> =>
    opnFake.start({ port, account, webhookUrl: receiver.url, stateFile: join(folder, 'charges.jsonl'), timeFactor });
  let fake = await start(0);
  const { url } = fake;
  const channelAt = (baseUrl: string, changed: OpnChanges = {}): Channel => {
    const { limiter = withoutLimit, ...settings } = changed;
    return opn.open({ channelId: 'opn-1', baseUrl, credentials, memory, ...settings }, { http, limiter });
  };
  channel = channelAt(url);
  const control = async (name: string, input: object = {}) => {
    const reply = await fetch(`${url}/_control/${name}`, { method: 'POST', body: JSON.stringify(input) });
    if (!reply.ok) throw new Error(`control ${name}: HTTP ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  return {
    ...{ url, channel, memory, channelAt, control, received },
    ...{ secretKey: account.secretKey ?? '', publicKey: account.publicKey ?? '' },
    webhookSecret: account.webhookSecret ?? '',
    order(changed = {}) {
      orders += 1;
      return {
        ...{ kind: 'payin', orderNo: `PIOPN${process.pid}X${orders}`, country: 'TH', currency: 'THB', amount: '80.01' },
        ...{ createdAt: Date.now(), bankCode: 'QR', party: {}, callbackUrl: receiver.url, expiresInSeconds: 900 },
        ...changed,
      };
    },
    async charges(orderNo) {
      const { charges } = await control('charges', { charge: orderNo });
      return charges as { id: string; status: string }[];
    },
    webhooks: (orderNo) => received.filter(({ read }) => read.type === 'query' && read.orderNo === orderNo),
    async restart() {
      await fake.close();
      fake = await start(Number(new URL(url).port));
    },
    async close() {
      await fake.close();
      await receiver.close();
      await http.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openReceiver(
  receive: (headers: CallbackHeaders, body: Uint8Array) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, reply) => {
    receive(request.headers, await buffer(request));
    reply.writeHead(200).end('OK');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver does not listen');
  return {
    url: `http://127.0.0.1:${address.port}/upstream/opn-1/callback`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
