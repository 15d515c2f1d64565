import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallbackResult, CallLimiter, Channel, ChannelMemory, ChannelOrder } from '@tidegate/domain/channels';
import type { RunningFake } from '../../fake-provider/index.ts';
import { memoryOfOneProcess, withoutLimit } from '../../testing/channel-tools.ts';
import { loopbackClient, openReceiver, type ReceivedCallback, setControl } from '../../testing/loopback.ts';
import { opnFake } from '../fake/index.ts';
import { opn } from '../index.ts';

export interface ReceivedWebhook extends ReceivedCallback {
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
  limiter?: CallLimiter;
  memory?: ChannelMemory;
}

let orders = 0;

export const within = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds);

export async function openOpn({ timeFactor = 0.02 } = {}): Promise<OpnSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-opn-'));
  const { credentials, account } = opnFake.makeAccount();
  const http = loopbackClient();
  const memory = memoryOfOneProcess();
  const received: ReceivedWebhook[] = [];
  let channel: Channel | undefined;
  const receiver = await openReceiver(({ headers, body }) => {
    const read = channel?.parseCallback(headers, body) ?? { type: 'nothing', detail: 'too early' };
    received.push({ headers, body, read });
    return {};
  });
  const webhookUrl = `${receiver.url}/upstream/opn-1/callback`;
  const start = (port: number): Promise<RunningFake> =>
    opnFake.start({ port, account, webhookUrl, stateFile: join(folder, 'charges.jsonl'), timeFactor });
  let fake = await start(0);
  const { url } = fake;
  const channelAt = (baseUrl: string, changed: OpnChanges = {}): Channel => {
    const { limiter = withoutLimit, ...settings } = changed;
    return opn.open({ channelId: 'opn-1', baseUrl, credentials, memory, ...settings }, { http, limiter });
  };
  channel = channelAt(url);
  const control = (name: string, input?: object) => setControl(url, name, input);
  return {
    url,
    channel,
    memory,
    channelAt,
    control,
    received,
    secretKey: account.secretKey ?? '',
    publicKey: account.publicKey ?? '',
    webhookSecret: account.webhookSecret ?? '',
    order(changed = {}) {
      orders += 1;
      return {
        kind: 'payin',
        orderNo: `PIOPN${process.pid}X${orders}`,
        country: 'TH',
        currency: 'THB',
        amount: '80.01',
        createdAt: Date.now(),
        bankCode: 'QR',
        party: {},
        callbackUrl: webhookUrl,
        expiresInSeconds: 900,
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
