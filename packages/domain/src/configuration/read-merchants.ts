import type pg from 'pg';
import type { Country, Currency } from '../core/country.ts';
import type { FeeRule } from '../core/fee.ts';
import type { OrderKind } from '../core/order.ts';
import type { BankMapping, Route } from '../core/routing.ts';
import { openLookUp } from '../database/look-up.ts';

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

/** Reads merchants by their numbers, with all that is configured for them; null for a number that nobody has. */
export function openMerchantReader(pool: pg.Pool): (merchantId: string) => Promise<MerchantProfile | null> {
  return openLookUp(async (merchantIds) => {
    const query = { name: 'merchant-profiles', text: profileSql, values: [merchantIds] };
    const { rows } = await pool.query<{ profile: MerchantProfile }>(query);
    return new Map(rows.map(({ profile }) => [profile.merchantId, profile]));
  });
}

/** The tables that a profile is read from, as the database plans it: each has to report its changes (`configuration-feed.ts`). */
export async function readTables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(`explain (format json, generic_plan) ${profileSql}`);
  const names = JSON.stringify(rows).matchAll(/"Relation Name":"(\w+)"/g);
  return [...new Set([...names].map(([, name = '']) => name))].sort();
}

const profileSql = `
select json_build_object(
  'merchantId', m.merchant_id, 'name', m.name, 'country', m.country, 'currency', m.currency, 'status', m.status,
  'payinEnabled', m.payin_enabled, 'payoutEnabled', m.payout_enabled, 'acceptDeprecatedFields', m.accept_deprecated_fields,
  'defaultNotifyUrl', m.default_notify_url, 'ipAllowList', m.ip_allow_list,
  'requestsPerSecond', m.requests_per_second, 'requestBurst', m.request_burst,
  'limits', json_build_object(
    'payin', json_build_object('minAmount', m.payin_min::text, 'maxAmount', m.payin_max::text),
    'payout', json_build_object('minAmount', m.payout_min::text, 'maxAmount', m.payout_max::text)),
  'keys', (select coalesce(json_agg(json_build_object('keyId', k.key_id, 'publicKeyPem', k.public_key_pem,
      'expiresAt', round(extract(epoch from k.expires_at) * 1000))), '[]')
    from merchant_key k where k.merchant_id = m.merchant_id),
  'feeRules', (select coalesce(json_agg(json_strip_nulls(json_build_object('kind', f.kind, 'percent', f.percent::text, 'fixed', f.fixed::text,
      'minimum', f.minimum::text, 'maximum', f.maximum::text, 'bankCode', nullif(f.bank_code, '')))), '[]')
    from fee_rule f where f.merchant_id = m.merchant_id),
  'routes', (select coalesce(json_agg(json_build_object('kind', r.kind, 'bankCode', r.bank_code, 'channelId', r.channel_id, 'mode', r.mode,
      'minAmount', r.min_amount::text, 'maxAmount', r.max_amount::text, 'priority', r.priority, 'weight', r.weight) order by r.route_no), '[]')
    from route r join channel c using (channel_id) where r.merchant_id = m.merchant_id and r.enabled and c.enabled),
  'mappings', (select coalesce(json_agg(json_build_object('channelId', b.channel_id, 'kind', b.kind, 'bankCode', b.bank_code,
      'channelBankCode', b.channel_bank_code)), '[]')
    from bank_mapping b where b.channel_id in (select r.channel_id from route r where r.merchant_id = m.merchant_id and r.enabled))
) as profile
from merchant m where m.merchant_id = any($1::text[])`;
