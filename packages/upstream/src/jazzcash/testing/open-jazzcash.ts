import { randomInt } from 'node:crypto';
import type { CallLimiter, Channel, ChannelMemory, ChannelOrder } from '@tidegate/domain/channels';
import type { FakeOptions } from '../../fake-provider/index.ts';
import { memoryOfOneProcess, withoutLimit } from '../../testing/channel-tools.ts';
import { loopbackClient, openReceiver, type ReceivedCallback, setControl } from '../../testing/loopback.ts';
import { openJazzCash } from '../client.ts';
import { jazzcashFake } from '../fake/index.ts';
import type { Waits } from '../gateway.ts';
import { referenceOf } from '../reference.ts';

interface Changed {
  /** Null: without this one. */
  credentials?: Record<string, string | null>;
  limiter?: CallLimiter;
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
const patientWaits = { prepareMs: 5_000, payerWaitMs: 5_000 };

/** A signal that ends after this number of milliseconds. */
export const within = (milliseconds = 10_000): AbortSignal => AbortSignal.timeout(milliseconds);

export async function openJazzCashFixture(options: Partial<FakeOptions> = {}): Promise<JazzCashFixture> {
  const { credentials, account } = jazzcashFake.makeAccount();
  const memory = memoryOfOneProcess();
  const http = loopbackClient();
  const channelAt: JazzCashFixture['channelAt'] = (baseUrl, changed = {}) =>
    openJazzCash(
      {
        channelId: 'jazz',
        baseUrl,
        memory: changed.memory ?? memory,
        credentials: withoutNull({ ...credentials, ...changed.credentials }),
      },
      { http, limiter: changed.limiter ?? withoutLimit },
      { ...patientWaits, ...changed.waits },
    );
  let channel: Channel | undefined;
  const receiver = await openReceiver(({ headers, body }) => {
    const read = channel?.parseCallback(headers, body);
    return read && 'reply' in read && read.reply ? read.reply : { status: 401, body: '' };
  });
  const webhookUrl = `${receiver.url}/ipn`;
  const fake = await jazzcashFake.start({ port: 0, account, timeFactor: 0.02, webhookUrl, ...options });
  channel = channelAt(fake.url);
  const control: JazzCashFixture['control'] = (name, input) => setControl(fake.url, name, input);
  return {
    url: fake.url,
    credentials,
    channel,
    memory,
    channelAt,
    control,
    order: (changed = {}) => makeOrder(webhookUrl, changed),
    callbacks: (orderNo) =>
      receiver.received.filter(({ body }) => Buffer.from(body).includes(referenceOf(orderNo) ?? '')),
    async transaction(orderNo) {
      const { transactions } = (await control('transactions')) as { transactions: Listed[] };
      return transactions.find(({ reference }) => reference === referenceOf(orderNo));
    },
    async close() {
      await fake.close();
      await receiver.close();
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
    kind: 'payin',
    orderNo: `PI1M82A29W0ABCD${random}`,
    country: 'PK',
    currency: 'PKR',
    amount: '500.00',
    createdAt: Date.now(),
    party: { name: 'Ali Khan', mobile: '03001234567', idNo: '42101-1234567-1' },
    callbackUrl,
    expiresInSeconds: 1_800,
    ...changed,
  };
}
