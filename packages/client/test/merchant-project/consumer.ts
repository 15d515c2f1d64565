import {
  ApiError,
  type CodeOf,
  type Country,
  createClient,
  type ErrorCode,
  expressHandler,
  fastifyNotifications,
  fetchHandler,
  honoHandler,
  type InPayinRequest,
  type Notification,
  OutcomeUnknownError,
  type PayinRequest,
  RejectionError,
  serviceKeys,
} from '@tidegate/client';
import { diagnose } from '@tidegate/client/doctor';

// Calls that a merchant's TypeScript compiler must accept or reject. They are checked against the packed types and
// never run.

const shared = { merchantNo: 'X1', privateKey: 'pem', baseUrl: 'https://pay.example' };
const cn = createClient({ country: 'CN', ...shared });
const th = createClient({ country: 'TH', ...shared });
const india = createClient({ country: 'IN', ...shared });
const pk = createClient({ country: 'PK', ...shared });
const anywhere = createClient({ country: 'CN' as Country, ...shared });
const order = { merchantOrderNo: 'M-1', amount: '100.00' };

export async function acceptedCalls(): Promise<unknown[]> {
  const payin = await th.payin.create({ ...order, bankCode: 'QR', extJson: { accountNo: '1' } });
  const recovered: boolean = payin.recovered;
  const created: number = payin.createdAt;
  const paid: string = (await pk.payin.create({ ...order, payer_mobile: '03001234567' })).createdAt;
  await india.payout.create({
    ...order,
    receiverName: 'A',
    receiverAccount: '123456',
    metadata: { ifsc: 'HDFC0001234' },
  });
  await cn.payin.query({ orderNo: 'PI1' });
  // Without a known country, fields of single countries can be read. They are undefined where they do not exist.
  const page: string | undefined = (await anywhere.payin.query({ orderNo: 'PI1' })).payUrl;
  const qr: string | undefined = payin.payQr;
  const named: InPayinRequest = {
    ...order,
    notifyUrl: 'https://shop.example/n',
    metadata: { returnUrl: page, more: [1] },
  };
  await india.payin.create(named satisfies PayinRequest<'IN'>);
  return [
    recovered,
    qr,
    created,
    paid,
    (await india.wallet.transactions({ page: 2 })).list[0]?.frozenChange,
    await diagnose({ body: '{}' }),
  ];
}

export async function rejectedCalls(): Promise<void> {
  // @ts-expect-error China has no payouts
  cn.payout;
  // @ts-expect-error money is no number
  await cn.payin.create({ merchantOrderNo: 'M-1', amount: 100 });
  // @ts-expect-error Thailand needs a bankCode
  await th.payin.create({ ...order, extJson: { accountNo: '1' } });
  // @ts-expect-error India needs a notifyUrl
  await india.payin.create(order);
  // @ts-expect-error Pakistan must not send a currency
  await pk.payin.create({ ...order, payer_mobile: '03001234567', currency: 'PKR' });
  // @ts-expect-error exactly one number
  await cn.payin.query({ orderNo: 'PI1', merchantOrderNo: 'M-1' });
  // @ts-expect-error metadata holds only JSON values
  await cn.payin.create({ ...order, metadata: { when: new Date() } });
  // @ts-expect-error no status of China
  (await cn.payin.query({ orderNo: 'PI1' })).status === 'timeout';
}

export function readNotification(notification: Notification): string | undefined {
  return notification.orderType === 'payin' ? notification.currency : notification.failureReason;
}

export function describeError(error: unknown): string {
  if (error instanceof OutcomeUnknownError) return error.merchantOrderNo;
  if (error instanceof RejectionError) {
    const code: 42201 | 42202 | 42203 | 42204 = error.code;
    return String(code satisfies CodeOf<'rejection'> satisfies ErrorCode);
  }
  return error instanceof ApiError ? (error.requestId ?? '') : '';
}

const receiver = {
  merchantNo: 'X1',
  keys: serviceKeys({ baseUrl: 'https://pay.example' }),
  onNotification: () => undefined,
};
export const handlers = [
  expressHandler(receiver),
  honoHandler(receiver),
  fetchHandler(receiver),
  fastifyNotifications({ path: '/n', ...receiver }),
];
