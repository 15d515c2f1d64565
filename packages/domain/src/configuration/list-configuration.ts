import type { Country } from '../core/country.ts';
import type { FeeRule } from '../core/fee.ts';
import type { OrderKind, OrderMode } from '../core/order.ts';
import type { DatabaseAccess } from '../database/database.ts';
import type { OperatorView } from './find-operator.ts';
import { feeRules, hasFeeRule, operatorColumns } from './queries.ts';

// Lists of the configuration for the command line, at most `limit` rows. Times are Unix milliseconds, amounts decimal
// text.

export interface MerchantLine {
  merchantId: string;
  name: string;
  country: Country;
  currency: string;
  status: 'active' | 'disabled';
  createdAt: number;
}

/** Merchants by number, without the platform's own tenants. */
export function listMerchants(domain: DatabaseAccess, limit: number): Promise<MerchantLine[]> {
  return rowsOf(
    domain,
    `select merchant_id as "merchantId", name, country, currency, status, ${millis('created_at')} as "createdAt" from merchant
     where merchant_id !~ '^PLATFORM($|-)' order by merchant_id limit $1`,
    [limit],
  );
}

/** A signing key. `endsAt` null: it does not end. */
export interface KeyLine {
  keyId: string;
  createdAt: number;
  endsAt: number | null;
  lastUsedAt: number | null;
}

/** A merchant's public keys, also ended ones, the newest first. */
export function listMerchantKeys(domain: DatabaseAccess, merchantId: string): Promise<KeyLine[]> {
  return rowsOf(
    domain,
    `select key_id as "keyId", ${millis('created_at')} as "createdAt", ${millis('expires_at')} as "endsAt",
       ${millis('last_used_at')} as "lastUsedAt" from merchant_key where merchant_id = $1 order by created_at desc, key_id limit 1000`,
    [merchantId],
  );
}

/** A key of the service for one merchant. */
export interface ServiceKeyLine extends Omit<KeyLine, 'lastUsedAt'> {
  merchantId: string;
  /** Whether it signs the merchant's notifications now. */
  signs: boolean;
  /** PEM (SPKI). */
  publicKeyPem: string;
}

/**
 * The service's keys for these merchants, the current one of each first, then the replaced ones, at most 100 of each.
 */
export function listServiceKeys(domain: DatabaseAccess, merchantIds: readonly string[]): Promise<ServiceKeyLine[]> {
  return rowsOf(
    domain,
    `select k.merchant_id as "merchantId", key_id as "keyId", ${millis('created_at')} as "createdAt", ${millis('retires_at')} as "endsAt",
       retires_at is null as signs, public_key_pem as "publicKeyPem"
     from unnest($1::text[]) with ordinality as wanted(merchant_id, place) cross join lateral (
       select * from merchant_service_key k where k.merchant_id = wanted.merchant_id
       order by retires_at is not null, created_at desc, key_id limit 100) as k
     order by wanted.place, k.retires_at is not null, k.created_at desc, k.key_id`,
    [merchantIds],
  );
}

/** A fee rule. `from` null: in force since it was set. */
export interface FeeLine extends Omit<FeeRule, 'from' | 'bankCode'> {
  bankCode: string | null;
  from: number | null;
}

/** The fee rules in force, and those that begin later. */
export function listFeeRules(domain: DatabaseAccess, merchantId: string): Promise<FeeLine[]> {
  return rowsOf(
    domain,
    `select kind, nullif(bank_code, '') as "bankCode", percent::text, fixed::text, minimum::text, maximum::text, nullif(is_refundable, false) as "isRefundable",
       nullif(${millis('begins_at')}, 0) as "from" from ${feeRules} t where merchant_id = $1 order by kind, bank_code, begins_at limit 1000`,
    [merchantId],
  );
}

export interface RouteLine {
  routeNo: number;
  kind: OrderKind;
  bankCode: string | null;
  channelId: string;
  mode: OrderMode;
  minAmount: string;
  maxAmount: string;
  priority: number;
  weight: number;
  /** Whether a fee rule prices its orders. Without one they are refused. */
  hasFee: boolean;
}

export function listRoutes(domain: DatabaseAccess, merchantId: string): Promise<RouteLine[]> {
  return rowsOf(
    domain,
    `select route_no as "routeNo", kind, bank_code as "bankCode", channel_id as "channelId", mode, min_amount::text as "minAmount",
       max_amount::text as "maxAmount", priority, weight, ${hasFeeRule} as "hasFee" from route r where merchant_id = $1 and enabled order by route_no limit 1000`,
    [merchantId],
  );
}

export interface ChannelLine {
  channelId: string;
  adapter: string;
  baseUrl: string;
  enabled: boolean;
  payinExpirySeconds: number;
  /** The bank codes that are mapped. */
  bankCodes: number;
}

/** Channels, without their credentials. */
export function listChannels(domain: DatabaseAccess): Promise<ChannelLine[]> {
  return rowsOf(
    domain,
    `select channel_id as "channelId", adapter, base_url as "baseUrl", enabled, payin_expiry_seconds as "payinExpirySeconds",
       (select count(*)::integer from bank_mapping b where b.channel_id = c.channel_id) as "bankCodes"
     from channel c order by channel_id limit 1000`,
  );
}

export interface OperatorLine extends OperatorView {
  /** Number of valid tokens. */
  tokens: number;
  lastUsedAt: number | null;
}

export function listOperators(domain: DatabaseAccess, limit: number): Promise<OperatorLine[]> {
  return rowsOf(
    domain,
    `select ${operatorColumns}, (select count(*)::integer from operator_token t where t.operator_id = o.operator_id
         and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())) as tokens,
       (select ${millis('max(last_used_at)')} from operator_token t where t.operator_id = o.operator_id) as "lastUsedAt"
     from operator o order by operator_id limit $1`,
    [limit],
  );
}

function millis(expression: string): string {
  return `round(extract(epoch from ${expression}) * 1000)::float8`;
}

async function rowsOf<Row extends object>(
  domain: DatabaseAccess,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await domain.database.pool.query<Row>(text, values)).rows;
}
