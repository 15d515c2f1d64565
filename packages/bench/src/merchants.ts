import { generateKeyPairSync } from 'node:crypto';
import {
  addMerchantKey,
  bookWallet,
  createMerchant,
  type Domain,
  ensureServiceKey,
  type PayoutRequest,
  setChannel,
  setFeeRule,
  setRoute,
} from '@tidegate/domain';

/** The merchant number of the benchmark's n-th merchant, from 1. */
export function merchantNo(n: number): string {
  return `${merchantPrefix}${n}`;
}

export const merchantPrefix = 'INBENCH';

/** All merchants sign with one key: what it costs to keep many apart is not asked here. */
export interface BenchKeys {
  publicKeyPem: string;
  privateKeyPem: string;
}

export function makeBenchKeys(): BenchKeys {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKeyPem: publicKey, privateKeyPem: privateKey };
}

const side = 10;

/** Puts `count` merchants of India into an empty database, each with a wallet that no run can empty and no limit that it could reach. */
export async function seedMerchants(domain: Domain, count: number, keys: BenchKeys): Promise<void> {
  await ensureServiceKey(domain.database.pool, domain.vault);
  await setChannel(domain, {
    channelId: 'bank',
    adapter: 'sandbox',
    baseUrl: 'http://127.0.0.1:9',
    credentials: { secret: 'bench' },
  });
  const seedEvery = async (first: number): Promise<void> => {
    for (let n = first; n <= count; n += side) await seedMerchant(domain, merchantNo(n), keys);
  };
  await Promise.all(Array.from({ length: side }, (_, i) => seedEvery(i + 1)));
  await domain.database.pool.query('update merchant set requests_per_second = 1000000, request_burst = 1000000');
}

async function seedMerchant(domain: Domain, merchantId: string, keys: BenchKeys): Promise<void> {
  await createMerchant(domain, {
    merchantId,
    name: 'Bench',
    country: 'IN',
    defaultNotifyUrl: 'http://127.0.0.1:9/notify',
  });
  await addMerchantKey(domain, merchantId, keys.publicKeyPem);
  await setFeeRule(domain, merchantId, { kind: 'payout', percent: '1.0', fixed: '5.00' });
  await setRoute(domain, merchantId, 1, { kind: 'payout', channelId: 'bank' });
  const topUp = {
    merchantId,
    entry: 'TOP_UP',
    amount: '900000000000.00',
    bookingNo: 'OPENING',
    remark: 'for the benchmark',
  } as const;
  const booked = await bookWallet(domain, topUp, { actor: 'bench', approver: null, reason: 'benchmark' });
  if (!booked.ok) throw new Error(`the wallet of ${merchantId} could not be filled: ${booked.rejection}`);
}

let orders = 0;

/** The body of a payout request as a merchant in India sends it, with a number of its own and another amount each time. */
export function payoutBody(): Record<string, unknown> {
  orders += 1;
  return {
    merchantOrderNo: `BENCH-${String(process.pid).padStart(7, '0')}-${String(orders).padStart(12, '0')}`,
    countryCode: 'IN',
    currency: 'INR',
    amount: `${100 + (orders % 900)}.${String(orders % 100).padStart(2, '0')}`,
    receiverName: 'Asha Raghunathan',
    receiverAccount: '50100234567890',
    receiverPhone: '+919812345678',
    notifyUrl: 'https://shop.example.com/hooks/tidegate/payouts',
    metadata: { ifsc: 'HDFC0001234' },
  };
}

/** The same as the country's rules read it from such a body. */
export function payoutRequest(): PayoutRequest {
  const body = payoutBody();
  return {
    merchantOrderNo: String(body.merchantOrderNo),
    amount: String(body.amount),
    bankCode: null,
    notifyUrl: String(body.notifyUrl),
    details: {
      party: { name: 'Asha Raghunathan', account: '50100234567890', mobile: '+919812345678', ifsc: 'HDFC0001234' },
      extra: { ifsc: 'HDFC0001234' },
    },
  };
}
