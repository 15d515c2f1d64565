import {
  type FakeOptions,
  type FakeServer,
  openFakeServer,
  type ProviderFake,
  type RunningFake,
} from '../../fake-provider/index.ts';
import { makeKeyAccount, readAccount } from './account.ts';
import { openBills } from './bills.ts';
import { answerCall, type GatewayState } from './gateway.ts';
import { type Distortion, notify } from './notify.ts';
import { openTrades, type Trade, type Trades } from './trades.ts';

export { type AccountKeys, makeCertificateAccount, makeKeyAccount } from './account.ts';

/** A running fake with the handles that tests use. */
export interface AlipayFake extends RunningFake {
  server: FakeServer;
  trades: Trades;
  trade(outTradeNo: string): Trade | undefined;
}

/**
 * Starts a server that behaves as Alipay's gateway. Controls, besides the common ones:
 *
 * - `scan`, `pay` { orderNo }: the payer does it now.
 * - `busy` { times, takesEffect }: the next calls answer ACQ.SYSTEM_ERROR.
 * - `gbk` { times }: the next answers are in GBK.
 * - `answer` { times, fields }: the next queries answer these fields instead of the true ones.
 * - `early` { times }: the payer of the next codes has paid, and the notification was sent, before the create's answer.
 * - `rotate`: from now on Alipay signs with its next key or certificate.
 * - `notify` { orderNo, as, fields }: one more notification. `as`: `other_seller`, `other_app`, `other_key`, `back` (as
 *   if it waited for the payer), `stale` (sent two days ago), or nothing.
 * - `bills` { isReady, fault }: bills are there at once; the next ones are not true.
 */
export async function startAlipayFake(options: FakeOptions): Promise<AlipayFake> {
  const account = readAccount(options.account);
  const server = openFakeServer(options);
  let current = 0;
  let early = 0;
  const signingKey = () => account.alipayKeys[current === 0 ? 0 : 1];
  const send = (trade: Trade, distortion?: Distortion) => {
    if (trade.notifyUrl !== '') notify(server, account, trade, signingKey, distortion);
  };
  // A trade that waits for its payer is not notified.
  const changed = (trade: Trade) => {
    if (trade.state !== 'WAIT_BUYER_PAY') send(trade);
  };
  const trades = openTrades(server, options.stateFile, changed);
  const state: GatewayState = {
    bills: openBills(server, account.sellerId, trades),
    account,
    trades,
    now: server.clock.now,
    signingKey,
    busy: { left: 0, takesEffect: false },
    inGbk: { left: 0 },
    distorted: { left: 0, fields: {} },
    beforeAnswer(outTradeNo) {
      if (early === 0) return;
      early -= 1;
      trades.pay(outTradeNo);
    },
  };
  server.app.route({
    method: ['GET', 'POST'],
    url: '/gateway.do',
    handler: (request, reply) => answerCall(state, request, reply),
  });
  server.addControl('scan', ({ orderNo }) => trades.scan(String(orderNo)));
  server.addControl('pay', ({ orderNo }) => trades.pay(String(orderNo)));
  server.addControl('busy', ({ times, takesEffect }) => {
    state.busy = { left: Number(times ?? 1), takesEffect: takesEffect === true };
  });
  server.addControl('gbk', ({ times }) => {
    state.inGbk = { left: Number(times ?? 1) };
  });
  server.addControl('answer', ({ times, fields }) => {
    state.distorted = { left: Number(times ?? 1), fields: (fields ?? {}) as Record<string, string> };
  });
  server.addControl('early', ({ times }) => {
    early = Number(times ?? 1);
  });
  server.addControl('rotate', () => {
    current = 1;
  });
  server.addControl('notify', ({ orderNo, as, fields }) => {
    const trade = trades.get(String(orderNo));
    if (!trade) throw new Error('there is no such order');
    const distortion = distortions[String(as ?? 'nothing')];
    if (!distortion) throw new Error(`as is one of ${Object.keys(distortions).join(', ')}`);
    const distorted = distortion(server.clock.now());
    const key = as === 'other_key' ? account.alipayKeys[current === 0 ? 1 : 0] : undefined;
    send(trade, { fields: { ...distorted, ...(fields as Record<string, string>) }, ...(key && { key }) });
  });
  await server.listen();
  return {
    server,
    trades,
    url: server.url(),
    trade: (outTradeNo) => trades.get(outTradeNo),
    close: () => server.close(trades),
  };
}

const distortions: Record<string, (now: number) => Record<string, string>> = {
  nothing: () => ({}),
  other_key: () => ({}),
  other_seller: () => ({ seller_id: '2088999999999999' }),
  other_app: () => ({ app_id: '2021999999999999' }),
  back: () => ({ trade_status: 'WAIT_BUYER_PAY' }),
  stale: (now) => ({ notify_time: new Date(now - 40 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ') }),
};

/** For `npm start` and for tests that need no handles. */
export const alipayFake: ProviderFake = {
  provider: 'alipay',
  carries: [{ country: 'CN', kind: 'payin' }],
  makeAccount: () => makeKeyAccount(),
  start: startAlipayFake,
};
