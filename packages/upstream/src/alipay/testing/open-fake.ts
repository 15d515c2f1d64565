import type { CallLimiter, Channel, ChannelOrder } from '@tidegate/domain/channels';
import { takeKeyPair } from '@tidegate/domain/testing';
import { memoryOfOneProcess, withoutLimit } from '../../testing/channel-tools.ts';
import { loopbackClient, openReceiver, type ReceivedCallback, setControl } from '../../testing/loopback.ts';
import { type AccountKeys, type AlipayFake, makeKeyAccount, startAlipayFake } from '../fake/index.ts';
import { alipay } from '../index.ts';

/** The fake of Alipay, channels for it, and a receiver of its notifications that acknowledges all. */
export interface OpenedFake {
  fake: AlipayFake;
  credentials: Record<string, string>;
  channel: Channel;
  channelAt(baseUrl: string, changed?: { credentials?: Record<string, string>; limiter?: CallLimiter }): Channel;
  order(changed?: Partial<ChannelOrder>): ChannelOrder;
  /** Notifications whose form has this text, in the order of arrival. */
  callbacks(orderNo: string): ReceivedCallback[];
  control(name: string, input?: object): Promise<unknown>;
  close(): Promise<void>;
}

let usedKeys: AccountKeys | undefined;

/** Keys of a fake account: the same for all accounts of a process, because new ones take long. */
export function pooledKeys(): AccountKeys {
  usedKeys ??= {
    app: takeKeyPair().privateKeyPem,
    alipay: takeKeyPair().privateKeyPem,
    nextAlipay: takeKeyPair().privateKeyPem,
  };
  return usedKeys;
}

let orders = 0;

export async function openFake(account = makeKeyAccount(pooledKeys()), timeFactor = 0.05): Promise<OpenedFake> {
  const fake = await startAlipayFake({ port: 0, account: account.account, timeFactor });
  const http = loopbackClient();
  const channelAt: OpenedFake['channelAt'] = (
    baseUrl,
    { credentials = account.credentials, limiter = withoutLimit } = {},
  ) => alipay.open({ channelId: 'c', baseUrl, credentials, memory: memoryOfOneProcess() }, { http, limiter });
  const receiver = await openReceiver(() => ({ body: 'success' }));
  const callbackUrl = `${receiver.url}/callback`;
  return {
    fake,
    credentials: account.credentials,
    channelAt,
    channel: channelAt(fake.url),
    order(changed = {}) {
      orders += 1;
      const orderNo = `PITEST${process.pid}X${Date.now().toString(36).toUpperCase()}X${orders}`;
      const money = { country: 'CN', currency: 'CNY', amount: '100.00', createdAt: Date.now() };
      return { kind: 'payin', orderNo, ...money, party: {}, callbackUrl, expiresInSeconds: 600, ...changed };
    },
    callbacks: (orderNo) => receiver.received.filter(({ body }) => Buffer.from(body).includes(`=${orderNo}&`)),
    control: (name, input) => setControl(fake.url, name, input),
    async close() {
      await fake.close();
      await http.close();
      await receiver.close();
    },
  };
}
