import type pg from 'pg';
import type { Country, Currency } from '../core/country.ts';
import type { FeeRule } from '../core/fee.ts';
import type { OrderKind } from '../core/order.ts';
import { tagOfOrderNo } from '../core/order-number.ts';
import type { BankMapping, Route } from '../core/routing.ts';
import { openKeyUses } from './key-uses.ts';
import { lookUpLimit } from './look-up.ts';
import { openMerchantReader } from './read-merchants.ts';

/** A merchant with all that is configured for it. Amounts are decimal text. */
export interface MerchantProfile {
  merchantId: string;
  name: string;
  country: Country;
  currency: Currency;
  status: 'active' | 'disabled';
  payinEnabled: boolean;
  payoutEnabled: boolean;
  acceptDeprecatedFields: boolean;
  defaultNotifyUrl: string | null;
  ipAllowList: string[] | null;
  requestsPerSecond: number;
  requestBurst: number;
  limits: Record<OrderKind, { minAmount: string; maxAmount: string }>;
  /** Keys that verify now or did; one with a past `expiresAt` (Unix ms) does not. */
  keys: { keyId: string; publicKeyPem: string; expiresAt: number | null }[];
  feeRules: FeeRule[];
  /** Enabled routes whose channels are enabled too. */
  routes: Route[];
  mappings: BankMapping[];
}

/** Merchants as the database knows them, kept in memory and at most about a second behind. */
export interface Directory {
  merchant(merchantId: string): Promise<MerchantProfile | null>;
  /** Merchants that an order number may belong to: nearly always one. */
  merchantsOfOrderNo(orderNo: string): Promise<string[]>;
  keyUsed(merchantId: string, keyId: string): void;
  close(): Promise<void>;
}

const refreshEvery = 1_000;
/** Longer than any commit of a configuration change may take between its clock and its end. */
const overlap = 10_000;
/** Merchants in memory; the oldest leave first. Numbers that nobody has are not kept, and so put no merchant out. */
const capacity = 20_000;

export function openDirectory(pool: pg.Pool, onError: (error: unknown) => void): Directory {
  const kept = new Map<string, Promise<MerchantProfile | null>>();
  const read = openMerchantReader(pool);
  const uses = openKeyUses(pool);
  let seen = new Map<string, string>();

  const refresh = async (): Promise<void> => {
    const { rows } = await pool.query<{ id: string; at: string }>(changesSql, [overlap]);
    const changes = new Map(rows.map((row) => [row.id, row.at]));
    const fresh = rows.filter((row) => seen.get(row.id) !== row.at).map((row) => row.id);
    if (fresh.some((id) => id.startsWith('channel '))) kept.clear();
    for (const id of fresh) kept.delete(id);
    seen = changes;
    await uses.write();
  };
  let refreshing: Promise<void> | null = null;
  const timer = setInterval(() => {
    refreshing ??= refresh()
      // Not knowing what changed, nothing kept can be trusted.
      .catch((error) => {
        kept.clear();
        onError(error);
      })
      .finally(() => {
        refreshing = null;
      });
  }, refreshEvery);
  timer.unref();

  return {
    merchant(merchantId) {
      const known = kept.get(merchantId);
      if (known) return known;
      const asked = read(merchantId);
      kept.set(merchantId, asked);
      const forget = (): void => {
        if (kept.get(merchantId) === asked) kept.delete(merchantId);
      };
      asked.then((profile) => {
        if (!profile) return forget();
        const [oldest] = kept.keys();
        if (kept.size > capacity + lookUpLimit && oldest !== undefined) kept.delete(oldest);
      }, forget);
      return asked;
    },
    async merchantsOfOrderNo(orderNo) {
      const { rows } = await pool.query<{ merchantId: string }>({
        name: 'merchants-of-tag',
        text: 'select merchant_id as "merchantId" from merchant where tag = $1 limit 100',
        values: [tagOfOrderNo(orderNo)],
      });
      return rows.map((row) => row.merchantId);
    },
    keyUsed: uses.used,
    async close() {
      clearInterval(timer);
      await refreshing;
    },
  };
}

// The clock in a subquery is asked once, so that the index is of use.
const changesSql = {
  name: 'directory-changes',
  text: `select merchant_id as id, changed_at::text as at from merchant where changed_at > (select clock_timestamp() - $1 * interval '1 ms')
    union all select 'channel ' || channel_id, changed_at::text from channel where changed_at > (select clock_timestamp() - $1 * interval '1 ms')`,
};
