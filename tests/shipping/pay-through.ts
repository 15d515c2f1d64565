import { expect } from 'vitest';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import type { Fleet } from '../fleet.ts';
import { payinRequest } from '../payin-requests.ts';
import { payoutRequest } from '../payout-requests.ts';

/** Orders in their final status. */
export interface Paid {
  orderNo: string;
  status: string;
  /** The notifications that the merchant received of it. */
  received: string[];
}

/** A payin and a payout from request to end: answered with code 0, carried by the channel, reported to the merchant. */
export async function payThrough(fleet: Fleet, restUrl: string, mark: string): Promise<Paid[]> {
  const orderNos: string[] = [];
  for (const [country, requests, path] of [
    ['CN', payinRequest, '/payin/create'],
    ['IN', payoutRequest, '/payout/create'],
  ] as const) {
    const merchant = fleet.merchants.find((one) => one.country === country);
    if (!merchant) throw new Error(`no merchant of ${country}`);
    const notifyUrl = `${fleet.receiverUrl}/notify/${merchant.merchantNo}`;
    const body = requests[country]?.(`${mark}-${country}`, '20.00', notifyUrl) ?? {};
    const { code, msg, data } = await merchantClient(restUrl, merchant.merchantNo, merchant.privateKeyPem).post(
      path,
      body,
    );
    if (code !== 0) throw new Error(`${path}: ${code} ${msg}`);
    orderNos.push(String(data?.orderNo));
  }
  const receivedOf = (orderNo: string) => fleet.received.filter((one) => one.orderNo === orderNo && one.acknowledged);
  await waitUntil('the merchants notified', async () => orderNos.every((no) => receivedOf(no).length > 0), {
    timeoutMs: 60_000,
  });
  const rows = await fleet.rows<{ order_no: string; status: string }>(
    'select order_no, status from orders where order_no = any($1) order by order_no',
    [orderNos],
  );
  return rows.map(({ order_no: orderNo, status }) => ({
    orderNo,
    status,
    received: receivedOf(orderNo).map((one) => one.status),
  }));
}

/** What `payThrough` gives where all is well. */
export const paidThrough = ['PI', 'PO'].map((kind) => ({
  orderNo: expect.stringMatching(new RegExp(`^${kind}`)),
  status: 'completed',
  received: ['completed'],
}));
