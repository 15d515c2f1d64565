import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  type Channel,
  type ChannelMemory,
  type ChannelOrder,
  type ChannelRefund,
  networks,
} from '@tidegate/domain/channels';
import { createHttpClient } from '../../http-client.ts';
import type { RateLimiter } from '../../provider-adapter.ts';
import { memoryOfOneProcess, withoutLimit } from '../../testing/channel-tools.ts';
import { openRazorpayChannel } from '../client.ts';
import { razorpayFake, startRazorpayFake } from '../fake/index.ts';

export interface ReceivedWebhook {
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
}

interface Tools {
  memory?: ChannelMemory;
  limiter?: RateLimiter;
}

let orders = 0;

/** The fake of Razorpay, a channel for it, and a receiver of its webhooks, all over HTTP on loopback. */
export async function openFixture({ timeFactor = 0.02, offsetMs = 0 } = {}) {
  const received: ReceivedWebhook[] = [];
  const receiver = createServer(async (request, reply) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    reply.end('OK');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`;
  const { account, credentials } = razorpayFake.makeAccount();
  const fake = await startRazorpayFake({ port: 0, account, webhookUrl, timeFactor });
  fake.context.server.clock.offsetMs = offsetMs;
  const http = createHttpClient({ allowed: networks(['127.0.0.0/8']) });
  const memory = memoryOfOneProcess();
  const channelAt = (baseUrl: string, changed: Record<string, string> = {}, tools: Tools = {}): Channel => {
    const stored = tools.memory ?? memory;
    const settings = { channelId: 'c', baseUrl, credentials: { ...credentials, ...changed }, memory: stored };
    return openRazorpayChannel(settings, { http, limiter: tools.limiter ?? withoutLimit });
  };
  const channel = channelAt(fake.url);
  return {
    ...{ fake, url: fake.url, context: fake.context, credentials, memory, http, channel, channelAt },
    order(changed: Partial<ChannelOrder> = {}): ChannelOrder {
      orders += 1;
      const orderNo = `${changed.kind === 'payout' ? 'PO' : 'PI'}TEST${process.pid}X${orders}`;
      return {
        ...{ kind: 'payin', orderNo, country: 'IN', currency: 'INR', amount: '80.00', createdAt: Date.now() },
        party: { name: 'Asha Rao', account: '50100012345678', ifsc: 'HDFC0001234' },
        ...{ callbackUrl: webhookUrl, expiresInSeconds: 1_800, ...changed },
      };
    },
    /** The webhooks about an order, in the order of arrival. */
    webhooks: (orderNo: string): ReceivedWebhook[] =>
      received.filter(({ body }) => Buffer.from(body).includes(`"${orderNo}"`)),
    async control(name: string, input: object = {}): Promise<void> {
      const reply = await fetch(`${fake.url}/_control/${name}`, { method: 'POST', body: JSON.stringify(input) });
      if (reply.status !== 200) throw new Error(await reply.text());
    },
    async close(): Promise<void> {
      await fake.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
      await http.close();
    },
  };
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

/** A refund of a payment of an order, in full by default. */
export function refundOf(order: ChannelOrder, reference: string, changed: Partial<ChannelRefund> = {}): ChannelRefund {
  const { kind, orderNo, country, currency, amount, createdAt } = order;
  const refund = { refundNo: `RF${orderNo}`, reference, refundAmount: amount, reason: 'a test' };
  return { kind, orderNo, country, currency, amount, createdAt, ...refund, ...changed };
}

export function eventOf({ body }: ReceivedWebhook): string {
  return (JSON.parse(Buffer.from(body).toString()) as { event: string }).event;
}
