import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Channel, type ChannelMemory, type ChannelOrder, networks } from '@tidegate/domain/channels';
import type { FakeOptions } from '../../fake-provider/index.ts';
import { createHttpClient } from '../../http-client.ts';
import type { RateLimiter } from '../../provider-adapter.ts';
import { memoryOfOneProcess, withoutLimit } from '../../testing/channel-tools.ts';
import { openJazzCash } from '../client.ts';
import { jazzcashFake } from '../fake/index.ts';
import type { Waits } from '../gateway.ts';
import { referenceOf } from '../reference.ts';

export interface ReceivedCallback {
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
}

interface Changed {
  /** Null: without this one. */
  credentials?: Record<string, string | null>;
  limiter?: RateLimiter;
  memory?: ChannelMemory;
  waits?: Partial<Waits>;
}

/** A fake JazzCash, a channel for it, and a receiver of its notifications, all over HTTP on loopback. */
export interface JazzCashFixture {
  url: string;
  credentials: Record<string, string>;
  channel: Channel;
  memory: ChannelMemory;
  /** Another channel of the same account, with the same memory unless `changed` has another one. */
  channelAt(baseUrl: string, changed?: Changed): Channel;
  order(changed?: Partial<ChannelOrder>): ChannelOrder;
  callbacks(orderNo: string): ReceivedCallback[];
  control(name: string, input?: object): Promise<Record<string, unknown>>;
  transaction(orderNo: string): Promise<{ code: string; paid: string } | undefined>;
  close(): Promise<void>;
}

/** Longer than in production, because a busy machine is slow. */
const patientWaits = { prepareMs: 5_000, patienceMs: 5_000 };

/** A signal that ends after this number of milliseconds. */
export const within = (milliseconds = 5_000): AbortSignal => AbortSignal.timeout(milliseconds);

export async function openJazzCashFixture(options: Partial<FakeOptions> = {}): Promise<JazzCashFixture> {
  const { credentials, account } = jazzcashFake.makeAccount();
  const received: ReceivedCallback[] = [];
  const memory = memoryOfOneProcess();
  const http = createHttpClient({ allowed: networks(['127.0.0.0/8', '::1/128']) });
  const channelAt: JazzCashFixture['channelAt'] = (baseUrl, changed = {}) =>
    openJazzCash(
      {
        ...{ channelId: 'jazz', baseUrl, memory: changed.memory ?? memory },
        credentials: withoutNull({ ...credentials, ...changed.credentials }),
      },
      { http, limiter: changed.limiter ?? withoutLimit },
      { ...patientWaits, ...changed.waits },
    );
  let channel: Channel | undefined;
  const receiver = createServer(async (request, reply) => {
    const callback = { headers: request.headers, body: await buffer(request) };
    received.push(callback);
    const read = channel?.parseCallback(callback.headers, callback.body);
    const answer = read && 'reply' in read ? read.reply : undefined;
    reply.writeHead(answer ? 200 : 401, { 'content-type': answer?.contentType ?? 'text/plain' }).end(answer?.body);
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as { port: number };
  const webhookUrl = `http://127.0.0.1:${port}/ipn`;
  const fake = await jazzcashFake.start({ port: 0, account, timeFactor: 0.02, webhookUrl, ...options });
  channel = channelAt(fake.url);
  const control: JazzCashFixture['control'] = async (name, input = {}) => {
    const reply = await fetch(`${fake.url}/_control/${name}`, { method: 'POST', body: JSON.stringify(input) });
    if (!reply.ok) throw new Error(`${name}: ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  return {
    ...{ url: fake.url, credentials, channel, memory, channelAt, control },
    order: (changed = {}) => makeOrder(webhookUrl, changed),
    callbacks: (orderNo) => received.filter(({ body }) => Buffer.from(body).includes(referenceOf(orderNo) ?? '')),
    async transaction(orderNo) {
      const { transactions } = (await control('transactions')) as { transactions: Listed[] };
      return transactions.find(({ reference }) => reference === referenceOf(orderNo));
    },
    async close() {
      await fake.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
      await http.close();
    },
  };
}

function withoutNull(values: Record<string, string | null>): Record<string, string> {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(entries);
}

interface Listed {
  reference: string;
  code: string;
  paid: string;
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function makeOrder(callbackUrl: string, changed: Partial<ChannelOrder>): ChannelOrder {
  const random = Array.from({ length: 12 }, () => alphabet[randomInt(32)]).join('');
  return {
    ...{ kind: 'payin', orderNo: `PI1M82A29W0ABCD${random}` },
    ...{ country: 'PK', currency: 'PKR', amount: '500.00', createdAt: Date.now() },
    party: { name: 'Ali Khan', mobile: '03001234567', idNo: '42101-1234567-1' },
    ...{ callbackUrl, expiresInSeconds: 1_800, ...changed },
  };
}
