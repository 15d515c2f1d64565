import type { Statement } from '../database/columns.ts';
import type { Scope } from '../lists/scope.ts';
import { type Add, whereAll } from '../lists/values.ts';

/** Inserts the records of calls and callbacks; $1 is a JSON array of them. */
export const insertCalls: Statement = {
  name: 'insert-channel-calls',
  text: `insert into channel_call (merchant_id, order_no, call_id, channel_id, operation, started_at, duration_ms, outcome, detail)
  select "merchantId", "orderNo", "callId", "channelId", operation, to_timestamp("startedAt" / 1000), "durationMs", outcome, detail
  from json_to_recordset($1::json) as r("merchantId" text, "orderNo" text, "callId" text, "channelId" text, operation text, "startedAt" float8,
    "durationMs" integer, outcome text, detail text)`,
};

/** The enabled channels with their adapters. */
export const enabledChannelsSql =
  'select channel_id as "channelId", adapter from channel where enabled order by channel_id';

/** Those of the channels with these ids that an operator of this scope may see. */
export function channelsInScopeSql(scope: Scope, ids: readonly string[], add: Add): string {
  const conditions = [`t.channel_id = any(${add(ids)}::text[])`, ...routedWithin(scope, add)];
  return `select t.channel_id as id from channel t${whereAll(conditions)}`;
}

/**
 * Conditions that limit channels `t` to those that a route of a merchant within `scope` uses, also a disabled route.
 */
export function routedWithin({ countries, merchantIds }: Scope, add: Add): string[] {
  if (countries === null && merchantIds === null) return [];
  const ours = [
    'r.channel_id = t.channel_id',
    ...(merchantIds === null ? [] : [`r.merchant_id = any(${add(merchantIds)}::text[])`]),
    ...(countries === null ? [] : [`m.country = any(${add(countries)}::text[])`]),
  ];
  return [`exists (select from route r join merchant m using (merchant_id)${whereAll(ours)})`];
}

/** The channels $1, with what is needed to call them. */
export const configuredChannels: Statement = {
  name: 'channels',
  text: `select channel_id as "channelId", adapter, base_url as "baseUrl", credentials, payin_expiry_seconds as "payinExpirySeconds"
  from channel where channel_id = any($1::text[])`,
};

/** The value of the key $2 of the channel $1. */
export const readMemory: Statement = {
  name: 'read-channel-memory',
  text: 'select value from channel_memory where channel_id = $1 and key = $2',
};

/** Stores $3 under the key $2 of the channel $1, unless something is stored there. $4: whether it may be purged. */
export const rememberOnce: Statement = {
  name: 'remember-once',
  text: 'insert into channel_memory (channel_id, key, value, of_order) values ($1, $2, $3, $4) on conflict (channel_id, key) do nothing',
};

/** The sealed secrets of the channels $1, and since when each is set. */
export const channelCredentialsSql =
  'select channel_id as "channelId", credentials, credentials_set_at as "setAt" from channel where channel_id = any($1::text[])';
