import { randomBytes } from 'node:crypto';
import type { ChannelFactory } from '../channels/channel.ts';
import type { ChannelAdapter } from '../channels/channel-adapter.ts';
import { setChannel } from '../channels/set-channel.ts';
import { addMerchantKey } from '../configuration/add-merchant-key.ts';
import { createMerchant } from '../configuration/create-merchant.ts';
import { setFeeRule } from '../configuration/set-fee-rule.ts';
import { setRoute } from '../configuration/set-route.ts';
import type { Country } from '../core/country.ts';
import type { Log } from '../core/log.ts';
import type { Order } from '../core/order.ts';
import type { WakeUp, Work } from '../core/queued-work.ts';
import { type Domain, type DomainOptions, openDomain } from '../open-domain.ts';
import { bareAdapter } from './bare-adapter.ts';
import { FakeChannel } from './fake-channel.ts';
import { jsonLines } from './json-lines.ts';
import { takeKeyPair } from './key-pool.ts';
import { testKeys } from './keys.ts';

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A domain on a test's own database, with one channel `fake`. The test sets its answers, and sees the wake-ups. */
export interface TestDomain {
  domain: Domain;
  channel: FakeChannel;
  woken: Work[];
  close(): Promise<void>;
}

export async function openTestDomain(
  databaseUrl: string,
  options: Pick<
    Partial<DomainOptions>,
    | 'announce'
    | 'environment'
    | 'databaseLedgerUrl'
    | 'tracer'
    | 'scheduleScale'
    | 'batchSize'
    | 'batchesAtOnce'
    | 'timeoutMs'
    | 'approvalLifetime'
    | 'createsPerChannel'
    | 'channelOutcomes'
    | 'callTurns'
    | 'approvalSignIn'
    | 'statementFormats'
    | 'keys'
  > & {
    wakeUp?: WakeUp;
    /** In addition to the adapter `fake`. */
    adapters?: Record<string, ChannelFactory | ChannelAdapter>;
    /** The database has its channel already, and this role may not create one. */
    hasChannel?: boolean;
  } = {},
): Promise<TestDomain> {
  const channel = new FakeChannel();
  const woken: Work[] = [];
  const domain = await openDomain({
    databaseUrl,
    keys: testKeys,
    publicBaseUrl: 'http://pay.test',
    log: quiet,
    notifyAllowCidrs: ['127.0.0.0/8', '::1/128'],
    channelAllowCidrs: ['127.0.0.0/8', '::1/128'],
    ...options,
    adapters: adaptersOf({ fake: adapterOf(channel), ...options.adapters }),
    statementFormats: { 'json-lines': jsonLines, ...options.statementFormats },
    wakeUp: options.wakeUp ?? ((work) => void woken.push(...work)),
  });
  if (!options.hasChannel)
    await setChannel(domain, { channelId: 'fake', adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  return { domain, channel, woken, close: () => domain.close() };
}

function adapterOf(channel: FakeChannel): ChannelAdapter {
  return {
    ...bareAdapter(() => channel),
    offers: () => ({
      get refunds() {
        return channel.offersRefunds;
      },
      get statements() {
        return channel.statementFormats ?? [];
      },
    }),
    get watchesEnded() {
      return channel.watchesEnded;
    },
  };
}

function adaptersOf(input: Record<string, ChannelFactory | ChannelAdapter>): DomainOptions['adapters'] {
  const adapters = Object.entries(input).map(
    ([name, one]) => [name, typeof one === 'function' ? bareAdapter(one) : one] as const,
  );
  return Object.fromEntries(adapters);
}

let count = 0;

/** A merchant with a key, the default fees (payin 2.5 %, payout 1 % + 5.00) and routes to the fake channel. */
export async function aMerchant(
  domain: Domain,
  country: Country,
  name = 'Test Shop',
): Promise<{ merchantId: string; privateKeyPem: string }> {
  count += 1;
  const merchantId = `${country}-${count}-${randomBytes(3).toString('hex').toUpperCase()}`;
  const { publicKey, privateKey } = takeKeyPair();
  await createMerchant(domain, { merchantId, name, country }, takeKeyPair());
  await addMerchantKey(domain, merchantId, publicKey.export({ type: 'spki', format: 'pem' }).toString());
  await setFeeRule(domain, merchantId, { kind: 'payin', percent: '2.5', fixed: '0.00' });
  await setFeeRule(domain, merchantId, { kind: 'payout', percent: '1.0', fixed: '5.00' });
  await setRoute(domain, merchantId, 1, { kind: 'payin', channelId: 'fake' });
  await setRoute(domain, merchantId, 2, { kind: 'payout', channelId: 'fake' });
  return { merchantId, privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** The order as the database has it now. */
export async function orderNow(domain: Domain, order: Pick<Order, 'merchantId' | 'orderNo'>): Promise<Order> {
  const { rows } = await domain.database.pool.query<Order>({
    ...domain.sql.orderByNo,
    values: [order.merchantId, order.orderNo],
  });
  if (!rows[0]) throw new Error(`no order ${order.orderNo}`);
  return rows[0];
}

/** Makes the order's next action due, as if its time had come. */
export async function makeDue(domain: Domain, order: Pick<Order, 'merchantId' | 'orderNo'>): Promise<void> {
  await domain.database.pool.query(
    'update orders set next_action_at = clock_timestamp() where merchant_id = $1 and order_no = $2',
    [order.merchantId, order.orderNo],
  );
}

/** Lets the order's time to be paid run out. */
export async function makeExpired(domain: Domain, order: Pick<Order, 'merchantId' | 'orderNo'>): Promise<void> {
  await domain.database.pool.query(
    `update orders set expires_at = clock_timestamp(), next_action = 'expire', next_action_at = clock_timestamp() where merchant_id = $1 and order_no = $2`,
    [order.merchantId, order.orderNo],
  );
}
