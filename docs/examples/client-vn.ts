import { createClient, type Notification, type PayinRequest } from '@tidegate/client';

// What a merchant of the example country writes. `tests/nightly/add-a-country.test.ts` compiles it with the generated types and runs it.

const { MERCHANT_NO: merchantNo = '', PRIVATE_KEY: privateKey = '', BASE_URL: baseUrl = '' } = process.env;
const client = createClient({ country: 'VN', merchantNo, privateKey, baseUrl });

const request: PayinRequest<'VN'> = { merchantOrderNo: 'VN-CLIENT-1', amount: '90000', payerName: 'Nguyen Van An' };
const { orderNo, status, payUrl } = await client.payin.create(request);
const payout = await client.payout.create({
  merchantOrderNo: 'VN-CLIENT-2',
  amount: '1000',
  bankCode: 'VCB',
  payeeName: 'Tran Thi Binh',
  payeeAccount: '0123456789',
});
const { currency } = await client.wallet.balance();
console.log(JSON.stringify({ payin: { orderNo, status, payUrl }, payout: payout.status, currency }));

/** What the compiler refuses; never called. */
export async function refused({ orderType }: Notification): Promise<void> {
  // @ts-expect-error a payin needs the name of its payer
  await client.payin.create({ merchantOrderNo: 'M-1', amount: '1' });
  // @ts-expect-error a payin of Vietnam does not time out
  (await client.payin.query({ orderNo })).status === 'timeout';
  // @ts-expect-error there is no such kind of order
  orderType === 'refund';
}
