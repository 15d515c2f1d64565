import type pg from 'pg';
import type { Country, Currency } from '../core/country.ts';
import type { FeeRule } from '../core/fee.ts';
import type { OrderKind } from '../core/order.ts';
import type { BankMapping, Route } from '../core/routing.ts';
import { openLookUp } from '../database/look-up.ts';
import { merchantProfiles } from './queries.ts';

/** A merchant with all of its configuration. Amounts are decimal text. */
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
  /** Current and former keys. A key with a past `expiresAt` (Unix ms) verifies nothing. */
  keys: { keyId: string; publicKeyPem: string; expiresAt: number | null }[];
  feeRules: FeeRule[];
  /** Enabled routes to enabled channels. */
  routes: Route[];
  mappings: BankMapping[];
}

/** Reads merchants by number, with all of their configuration; null for an unknown number. */
export function openMerchantReader(pool: pg.Pool): (merchantId: string) => Promise<MerchantProfile | null> {
  return openLookUp(async (merchantIds) => {
    const query = { ...merchantProfiles, values: [merchantIds] };
    const { rows } = await pool.query<{ profile: MerchantProfile }>(query);
    return new Map(rows.map(({ profile }) => [profile.merchantId, profile]));
  });
}

/**
 * The tables from which a profile is read, taken from the plan of the database. Each of them has to record its changes
 * (`configuration-feed.ts`).
 */
export async function readTables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(`explain (format json, generic_plan) ${merchantProfiles.text}`);
  const names = JSON.stringify(rows).matchAll(/"Relation Name":"(\w+)"/g);
  return [...new Set([...names].map(([, name = '']) => name))].sort();
}
