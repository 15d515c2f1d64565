import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Channel, type ChannelOrder, networks } from '@tidegate/domain/channels';
import { takeKeyPair } from '@tidegate/domain/testing';
import { createHttpClient } from '../../http-client.ts';
import type { RateLimiter } from '../../provider-adapter.ts';
import { memoryOfOneProcess, withoutLimit } from '../../testing/channel-tools.ts';
import { type AccountKeys, type AlipayFake, makeKeyAccount, startAlipayFake } from '../fake/index.ts';
import { alipay } from '../index.ts';

export interface ReceivedCallback {
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
}

/** The fake of Alipay, channels for it, and a receiver of its notifications that acknowledges all. */
export interface OpenedFake {
  fake: AlipayFake;
  credentials: Record<string, string>;
  channel: Channel;
  channelAt(baseUrl: string, changed?: { credentials?: Record<string, string>; limiter?: RateLimiter }): Channel;
  order(changed?: Partial<ChannelOrder>): ChannelOrder;
  /** Notifications whose form has this text, in the order of arrival. */
  callbacks(orderNo: string): ReceivedCallback[];
  control(name: string, input?: object): Promise<void>;
  close(): Promise<void>;
}

let taken: AccountKeys | undefined;

/** Keys of a fake account: the same for all accounts of a process, because new ones take long. */
export function pooledKeys(): AccountKeys {
  taken ??= {
    app: takeKeyPair().privateKeyPem,
    alipay: takeKeyPair().privateKeyPem,
    nextAlipay: takeKeyPair().privateKeyPem,
  };
  return taken;
}

let orders = 0;

export async function openFake(made = makeKeyAccount(pooledKeys()), timeFactor = 0.05): Promise<OpenedFake> {
  const fake = await startAlipayFake({ port: 0, account: made.account, timeFactor });
  const http = createHttpClient({ allowed: networks(['127.0.0.0/8']) });
  const channelAt: OpenedFake['channelAt'] = (
    baseUrl,
    { credentials = made.credentials, limiter = withoutLimit } = {},
  ) => alipay.open({ channelId: 'c', baseUrl, credentials, memory: memoryOfOneProcess() }, { http, limiter });
  const received: ReceivedCallback[] = [];
  const receiver = createServer(async (request, reply) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    reply.end('success');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const callbackUrl = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/callback`;
  return {
    ...{ fake, credentials: made.credentials, channelAt, channel: channelAt(fake.url) },
    order(changed = {}) {
      orders += 1;
      const orderNo = `PITEST${process.pid}X${Date.now().toString(36).toUpperCase()}X${orders}`;
      const money = { country: 'CN', currency: 'CNY', amount: '100.00', createdAt: Date.now() };
      return { kind: 'payin', orderNo, ...money, party: {}, callbackUrl, expiresInSeconds: 600, ...changed };
    },
    callbacks: (orderNo) => received.filter(({ body }) => Buffer.from(body).includes(`=${orderNo}&`)),
    async control(name, input = {}) {
      const reply = await fetch(`${fake.url}/_control/${name}`, { method: 'POST', body: JSON.stringify(input) });
      if (!reply.ok) throw new Error(await reply.text());
    },
    async close() {
      await fake.close();
      await http.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}
