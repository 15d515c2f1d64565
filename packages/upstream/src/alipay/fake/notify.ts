import { randomBytes } from 'node:crypto';
import { type FakeServer, fromCents, toCents } from '../../fake-provider/index.ts';
import type { AlipayKey, FakeAccount } from './account.ts';
import { signNotification } from './sign.ts';
import type { Trade } from './trades.ts';

/** How a notification differs from the truth. */
export interface Distortion {
  /** Fields that are other than they should be. */
  fields?: Record<string, string>;
  /** The key that signs instead of Alipay's. */
  key?: AlipayKey;
}

/** Sends a notification about a trade to its address. It is repeated until the answer is `success`. */
export function notify(
  server: FakeServer,
  account: FakeAccount,
  trade: Trade,
  signingKey: () => AlipayKey,
  { fields, key }: Distortion = {},
): void {
  const notifyId = `${randomBytes(16).toString('hex')}hbg`;
  server.webhooks.send({
    about: trade.outTradeNo,
    url: trade.notifyUrl,
    write: () => ({
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: signNotification((key ?? signingKey()).key, {
        ...fieldsOf(trade, account, notifyId, server.clock.now()),
        ...fields,
      }),
    }),
    isAcknowledged: (_status, body) => body === 'success',
  });
}

function fieldsOf(trade: Trade, account: FakeAccount, notifyId: string, now: number): Record<string, string> {
  const refunded = trade.refunds.reduce((sum, { amount }) => sum + toCents(amount), 0);
  return {
    gmt_create: inChina(trade.createdAt),
    charset: 'utf-8',
    subject: trade.subject,
    buyer_id: '2088102534368455',
    notify_id: notifyId,
    notify_type: 'trade_status_sync',
    notify_time: inChina(now),
    trade_status: trade.state,
    app_id: account.appId,
    auth_app_id: account.appId,
    seller_id: account.sellerId,
    version: '1.0',
    out_trade_no: trade.outTradeNo,
    trade_no: trade.tradeNo,
    total_amount: trade.amount,
    ...(trade.paidAt !== null && {
      gmt_payment: inChina(trade.paidAt),
      receipt_amount: trade.received ?? trade.amount,
      buyer_pay_amount: trade.amount,
      fund_bill_list: JSON.stringify([{ amount: trade.amount, fundChannel: 'ALIPAYACCOUNT' }]),
    }),
    ...(refunded > 0 && { refund_fee: fromCents(refunded), gmt_refund: inChina(now) }),
  };
}

/** `yyyy-MM-dd HH:mm:ss` in China. */
export function inChina(unixMs: number): string {
  const [day = '', time = ''] = new Date(unixMs + 8 * 3_600_000).toISOString().split('T');
  return `${day} ${time.slice(0, 8)}`;
}

/** Unix milliseconds of such a text; NaN if it is none. */
export function readInChina(text: string): number {
  return /^\d{4}(-\d\d){2} \d\d(:\d\d){2}$/.test(text) ? Date.parse(`${text.replace(' ', 'T')}+08:00`) : Number.NaN;
}
