import type { CallLimiter, Channel, ChannelMemory, ChannelOrder, ChannelRefund } from '@tidegate/domain/channels';
import { memoryOfOneProcess, withoutLimit } from '../../testing/channel-tools.ts';
import { loopbackClient, openReceiver, type ReceivedCallback, setControl } from '../../testing/loopback.ts';
import { openRazorpayChannel } from '../client.ts';
import { razorpayFake, startRazorpayFake } from '../fake/index.ts';

interface Tools {
  memory?: ChannelMemory;
  limiter?: CallLimiter;
}

let orders = 0;

/** The fake of Razorpay, a channel for it, and a receiver of its webhooks, all over HTTP on loopback. */
export async function openFixture({ timeFactor = 0.02, offsetMs = 0 } = {}) {
  const receiver = await openReceiver(() => ({}));
  const webhookUrl = receiver.url;
  const { account, credentials } = razorpayFake.makeAccount();
  const fake = await startRazorpayFake({ port: 0, account, webhookUrl, timeFactor });
  fake.context.server.clock.offsetMs = offsetMs;
  const http = loopbackClient();
  const memory = memoryOfOneProcess();
  const channelAt = (baseUrl: string, changed: Record<string, string> = {}, tools: Tools = {}): Channel => {
    const stored = tools.memory ?? memory;
    const settings = { channelId: 'c', baseUrl, credentials: { ...credentials, ...changed }, memory: stored };
    return openRazorpayChannel(settings, { http, limiter: tools.limiter ?? withoutLimit });
  };
  const channel = channelAt(fake.url);
  return {
    fake,
    url: fake.url,
    context: fake.context,
    credentials,
    memory,
    http,
    channel,
    channelAt,
    order(changed: Partial<ChannelOrder> = {}): ChannelOrder {
      orders += 1;
      const orderNo = `${changed.kind === 'payout' ? 'PO' : 'PI'}TEST${process.pid}X${orders}`;
      return {
        kind: 'payin',
        orderNo,
        country: 'IN',
        currency: 'INR',
        amount: '80.00',
        createdAt: Date.now(),
        party: { name: 'Asha Rao', account: '50100012345678', ifsc: 'HDFC0001234' },
        callbackUrl: webhookUrl,
        expiresInSeconds: 1_800,
        ...changed,
      };
    },
    /** The webhooks about an order, in the order of arrival. */
    webhooks: (orderNo: string): ReceivedCallback[] =>
      receiver.received.filter(({ body }) => Buffer.from(body).includes(`"${orderNo}"`)),
    control: (name: string, input?: object) => setControl(fake.url, name, input),
    async close(): Promise<void> {
      await fake.close();
      await receiver.close();
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

export function eventOf({ body }: ReceivedCallback): string {
  return (JSON.parse(Buffer.from(body).toString()) as { event: string }).event;
}
