import { generateKeyPairSync } from 'node:crypto';
import {
  type Country,
  createPayin,
  createPayout,
  type Domain,
  type OrderKind,
  type PayoutRequest,
} from '@tidegate/domain';
import {
  addMerchantKey,
  bookWallet,
  createMerchant,
  generateServiceKey,
  type KeyPair,
  setFeeRule,
  setRoute,
} from '@tidegate/domain/admin';
import { setSandboxChannel } from './set-sandbox-channel.ts';

/**
 * The country of the merchants for each kind of order. Payins are in China, where a create does not wait for the
 * channel.
 */
const countryOf: Readonly<Record<OrderKind, Country>> = { payout: 'IN', payin: 'CN' };

/** The prefix of the merchant numbers for a kind of order. */
export const merchantPrefix = (kind: OrderKind): string => `${countryOf[kind]}BENCH`;

/** The number of the n-th merchant for a kind of order, counted from 1. */
export const merchantNo = (kind: OrderKind, n: number): string => `${merchantPrefix(kind)}${n}`;

/** All merchants sign with one key, because the cost of many keys is not measured here. */
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

/**
 * Adds `count` merchants of each country to an empty database, with more money and higher limits than any run needs.
 */
export async function seedMerchants(domain: Domain, count: number, keys: BenchKeys): Promise<void> {
  await allowOneKeyForAll(domain);
  await setSandboxChannel(domain, { channelId: 'bank', baseUrl: 'http://127.0.0.1:9', secret: 'bench' });
  // The service's key for every merchant: making thousands of keys would take minutes.
  const pair = await generateServiceKey();
  const seedEvery = async (first: number): Promise<void> => {
    for (let n = first; n <= count; n += side)
      for (const kind of ['payout', 'payin'] as const) await seedMerchant(domain, kind, n, keys, pair);
  };
  await Promise.all(Array.from({ length: side }, (_, i) => seedEvery(i + 1)));
  await liftLimits(domain);
}

/** Lets merchants share one key, which the service normally refuses. Making thousands of keys would take minutes. */
export async function allowOneKeyForAll(domain: Domain): Promise<void> {
  await domain.database.pool.query('alter table merchant_key disable trigger claim_public_key');
}

/** Removes every merchant's request limit. */
export async function liftLimits(domain: Domain): Promise<void> {
  await domain.database.pool.query('update merchant set requests_per_second = 1000000, request_burst = 1000000');
}

async function seedMerchant(domain: Domain, kind: OrderKind, n: number, keys: BenchKeys, pair: KeyPair): Promise<void> {
  const merchantId = merchantNo(kind, n);
  const country = countryOf[kind];
  await createMerchant(
    domain,
    { merchantId, name: 'Bench', country, defaultNotifyUrl: 'http://127.0.0.1:9/notify' },
    pair,
  );
  await enable(domain, merchantId, kind, 'bank', keys);
  if (kind === 'payout') await topUp(domain, merchantId);
}

/** Gives a merchant a key, a fee and a route, so that it can create orders of a kind. */
export async function enable(
  domain: Domain,
  merchantId: string,
  kind: OrderKind,
  channelId: string,
  keys: BenchKeys,
): Promise<void> {
  await addMerchantKey(domain, merchantId, keys.publicKeyPem);
  await setFeeRule(domain, merchantId, { kind, percent: '1.0', fixed: '5.00' });
  await setRoute(domain, merchantId, 1, { kind, channelId });
}

async function topUp(domain: Domain, merchantId: string): Promise<void> {
  const opening = {
    merchantId,
    entry: 'TOP_UP',
    amount: '900000000000.00',
    bookingNo: 'OPENING',
    remark: 'for the benchmark',
  } as const;
  const booked = await bookWallet(domain, opening, { actor: 'bench', approver: 'npm run bench', reason: 'benchmark' });
  if (!booked.ok) throw new Error(`the wallet of ${merchantId} could not be filled: ${booked.rejection}`);
}

let orders = 0;

/** A create request of the kind's country. Each call has a new order number and another amount. */
export function orderBody(kind: OrderKind): Record<string, unknown> {
  orders += 1;
  const common = {
    merchantOrderNo: `BENCH-${started}-${String(orders).padStart(12, '0')}`,
    countryCode: countryOf[kind],
    amount: `${100 + (orders % 900)}.${String(orders % 100).padStart(2, '0')}`,
  };
  if (kind === 'payin')
    return {
      ...common,
      currency: 'CNY',
      notifyUrl: 'https://shop.example.com/hooks/tidegate/payins',
      metadata: { payerName: 'Li Xiaoming', payerMobile: '+8613800138000' },
    };
  return {
    ...common,
    currency: 'INR',
    notifyUrl: 'https://shop.example.com/hooks/tidegate/payouts',
    receiverName: 'Asha Raghunathan',
    receiverAccount: '50100234567890',
    receiverPhone: '+919812345678',
    metadata: { ifsc: 'HDFC0001234' },
  };
}

/** Part of the order numbers. It differs in each run, because kept databases have the numbers of earlier runs. */
const started = Date.now().toString(36);

/** The same request as parsed by the country's schema. */
export function orderRequest(kind: OrderKind): PayoutRequest {
  const body = orderBody(kind);
  return {
    merchantOrderNo: String(body.merchantOrderNo),
    amount: String(body.amount),
    bankCode: null,
    notifyUrl: String(body.notifyUrl),
    details:
      kind === 'payin'
        ? {
            party: { name: 'Li Xiaoming', mobile: '+8613800138000' },
            extra: { payerName: 'Li Xiaoming', payerMobile: '+8613800138000' },
          }
        : {
            party: {
              name: 'Asha Raghunathan',
              account: '50100234567890',
              mobile: '+919812345678',
              ifsc: 'HDFC0001234',
            },
            extra: { ifsc: 'HDFC0001234' },
          },
  };
}

/** The domain's function that creates orders of a kind. */
export const createOrder = { payin: createPayin, payout: createPayout } as const;
