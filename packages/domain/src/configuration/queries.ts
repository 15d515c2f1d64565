import { millis, type Statement } from '../database/columns.ts';
import { headerLength } from '../database/vault.ts';

// Statements of requests: each has one text and is prepared. Changes of the configuration use entities
// (docs/adr/0015-configuration-by-mikroorm.md).

/** Length of a token's id: the beginning of its hash. The token itself is never shown again. */
export const tokenIdLength = 12;

// After a failover, a restart or in a copied database, transactions may be lost and their numbers given out again. Then
// an older position means nothing. Only the primary is asked; on a replica this statement fails.
export const configurationChanges: Statement = {
  name: 'configuration-changes',
  text: `
select s.now::text as snapshot,
  concat_ws('/', (select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8),
    extract(epoch from pg_postmaster_start_time()), (select oid from pg_database where datname = current_database())) as server,
  coalesce(pg_snapshot_xmax(s.now) < pg_snapshot_xmax($1::pg_snapshot), false) as "isBack",
  (select coalesce(json_agg(json_build_array(c.kind, c.id)), '[]') from (
    select kind, id from configuration_change
    where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot) limit $2::integer) c) as changes
from (select pg_current_snapshot() as now) s`,
};

/** Merchants $1 with all of their configuration. */
export const merchantProfiles: Statement = {
  name: 'merchant-profiles',
  text: `
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
      'minimum', f.minimum::text, 'maximum', f.maximum::text, 'isRefundable', nullif(f.is_refundable, false), 'bankCode', nullif(f.bank_code, ''),
      'from', round(extract(epoch from f.begins_at) * 1000)))), '[]')
    from (
      select kind, bank_code, percent, fixed, minimum, maximum, is_refundable, null::timestamptz as begins_at from fee_rule where merchant_id = m.merchant_id
      union all select kind, bank_code, percent, fixed, minimum, maximum, is_refundable, begins_at from scheduled_fee_rule where merchant_id = m.merchant_id) f),
  'routes', (select coalesce(json_agg(json_build_object('kind', r.kind, 'bankCode', r.bank_code, 'channelId', r.channel_id, 'mode', r.mode,
      'minAmount', r.min_amount::text, 'maxAmount', r.max_amount::text, 'priority', r.priority, 'weight', r.weight) order by r.route_no), '[]')
    from route r join channel c using (channel_id) where r.merchant_id = m.merchant_id and r.enabled and c.enabled),
  'mappings', (select coalesce(json_agg(json_build_object('channelId', b.channel_id, 'kind', b.kind, 'bankCode', b.bank_code,
      'channelBankCode', b.channel_bank_code)), '[]')
    from bank_mapping b where b.channel_id in (select r.channel_id from route r where r.merchant_id = m.merchant_id and r.enabled))
) as profile
from merchant m where m.merchant_id = any($1::text[])`,
};

export const merchantsOfTag: Statement = {
  name: 'merchants-of-tag',
  text: 'select merchant_id as "merchantId" from merchant where tag = $1 limit 100',
};

/** Keys $2 of merchants $1 were used now. */
export const writeKeyUses = `update merchant_key t set last_used_at = clock_timestamp() from unnest($1::text[], $2::text[]) as k(m, i)
  where t.merchant_id = k.m and t.key_id = k.i`;

/** The operators of tokens, by the hashes $1. */
export const operatorsOfTokens: Statement = {
  name: 'operators-of-tokens',
  text: `select o.operator_id as "operatorId", o.roles, o.countries, o.merchant_ids as "merchantIds",
    left(t.token_hash, ${tokenIdLength}) as "tokenId", t.token_hash as "tokenHash", 'token' as "signIn",
    ${millis('t.expires_at')} as "expiresAt"
  from operator_token t join operator o using (operator_id)
  where t.token_hash = any($1::text[]) and o.enabled and t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp())`,
};

/** Once a minute is enough to see whether a token is in use. */
export const writeTokenUses = `update operator_token set last_used_at = clock_timestamp() where token_hash = any($1::text[])
    and (last_used_at is null or last_used_at < clock_timestamp() - interval '1 minute')`;

/**
 * The operators of the console's sessions that were not idle for too long. `isStale`: the stored last use is too old.
 * What an identity may do is what its provider named last. Parameters: $1 hashes of sessions, $2 longest idle time (ms),
 * $3 age of a stale last use (ms).
 */
export const operatorsOfSessions: Statement = {
  name: 'operators-of-sessions',
  text: `select s.session_hash as "sessionHash", o.operator_id as "operatorId", o.name, o.countries, o.merchant_ids as "merchantIds",
    case when s.token_hash is null then o.identity_roles else o.roles end as roles,
    left(s.token_hash, ${tokenIdLength}) as "tokenId", case when s.token_hash is null then 'oidc' else 'token' end as "signIn",
    ${millis('s.expires_at')} as "expiresAt", ${millis('s.last_used_at')} as "lastUsedAt",
    s.last_used_at < clock_timestamp() - $3 * interval '1 ms' as "isStale"
  from operator_session s join operator o on o.operator_id = s.operator_id left join operator_token t on t.token_hash = s.token_hash
  where s.session_hash = any($1::text[]) and o.enabled
    and s.expires_at > clock_timestamp() and s.last_used_at > clock_timestamp() - $2 * interval '1 ms'
    and case when s.token_hash is null then o.external_id = s.external_id and cardinality(o.identity_roles) > 0
      else t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp()) end`,
};

/** Stores that session $1 is used now, unless it was idle for $2 ms. A session that has ended stays ended. */
export const writeSessionUse = `update operator_session set last_used_at = clock_timestamp()
  where session_hash = $1 and last_used_at > clock_timestamp() - $2 * interval '1 ms'`;

/** Whether this transaction now has the lock of the personal settings of the operator $1. */
export const holdSettingsSql =
  'select pg_try_advisory_xact_lock(hashtextextended(\'tidegate operator \' || $1, 0)) as "isHeld"';

/** Enabled routes without a fee rule that meet the conditions (` where …`). */
export function routesWithoutFee(conditions: string): string {
  return `select r.merchant_id as "merchantId", r.route_no as "routeNo", r.kind from route r${conditions} order by r.merchant_id, r.route_no limit 10000`;
}

/** SQL: whether route `r` has a fee rule, of its own bank code or the general one of its kind. */
export const hasFeeRule = `exists (select from (
    select merchant_id, kind, bank_code from fee_rule
    union all select merchant_id, kind, bank_code from scheduled_fee_rule where begins_at <= clock_timestamp()) f
  where f.merchant_id = r.merchant_id and f.kind = r.kind and f.bank_code in ('', coalesce(r.bank_code, '')))`;

/**
 * SQL of a table: the fee rules in force, and those that begin later. A rule that is in force since it was set begins
 * at the epoch.
 */
export const feeRules = `(select r.* from (
    select merchant_id, kind, bank_code, to_timestamp(0)::timestamptz(3) as begins_at, percent, fixed, minimum, maximum, is_refundable from fee_rule
    union all select merchant_id, kind, bank_code, begins_at, percent, fixed, minimum, maximum, is_refundable from scheduled_fee_rule) r
  where not exists (select from scheduled_fee_rule n where n.merchant_id = r.merchant_id and n.kind = r.kind and n.bank_code = r.bank_code
    and n.begins_at > r.begins_at and n.begins_at <= clock_timestamp()))`;

/** The columns of an `OperatorView`. */
export const operatorColumns = `operator_id as "operatorId", name, roles, enabled, countries, merchant_ids as "merchantIds",
  external_id as "externalId"`;

/**
 * The minimum for decisions by two: two enabled admins without restrictions. Until they exist, no approval is possible,
 * so the first ones are created with access to the database and its secret.
 */
export const hasTwoAdmins = `select count(*) = 2 as two from (
  select from operator o where o.enabled and 'admin' = any(o.roles) and o.countries is null and o.merchant_ids is null
  and exists (select from operator_token t where t.operator_id = o.operator_id and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > clock_timestamp())) limit 2) a`;

/** Excludes a concurrent set-up until the transaction ends. */
export const lockOperators = 'lock table operator in share row exclusive mode';

/** The operator of the identity $1. `isNoted`: the roles $2 were stored within the last minute. */
export const operatorOfExternalId = `select operator_id as "operatorId", enabled, countries, merchant_ids as "merchantIds",
  coalesce(identity_roles = $2 and identity_seen_at > clock_timestamp() - interval '1 minute', false) as "isNoted"
  from operator where external_id = $1`;

export const noteIdentityRoles =
  'update operator set identity_roles = $2, identity_seen_at = clock_timestamp() where external_id = $1';

/** Counts a try at the open invitation $1 before its code is checked. After more than $2 tries it ends. */
export const countTry = `update operator_invitation set wrong_tries = wrong_tries + 1,
  ended_at = case when wrong_tries + 1 > $2::integer then clock_timestamp() end
  where invitation_id = $1 and redeemed_at is null and ended_at is null and expires_at > clock_timestamp()
  returning operator_id as "operatorId", code_hash as "codeHash"`;

/** Whether tenant $1 has a record of the action $2. */
export const hasRecordOf = 'select from audit_record where merchant_id = $1 and action = $2 order by audit_no limit 1';

// The service's own keys. They are read for each notification.

/** The current keys of merchants $1. */
export const currentServiceKeys: Statement = {
  name: 'service-keys',
  text: `select merchant_id as "merchantId", key_id as "keyId", private_key as "privateKey"
  from merchant_service_key where merchant_id = any($1::text[]) and retires_at is null`,
};

export const publishedServiceKeys: Statement = {
  name: 'published-service-keys',
  text: `select k.key_id as "keyId", k.public_key_pem as "publicKeyPem"
  from unnest($1::text[], $2::text[]) as wanted(merchant_id, key_id) join merchant_service_key k using (merchant_id, key_id)
  where k.retires_at is null or k.retires_at > clock_timestamp()`,
};

/** A column with sealed text, and the key of its table. */
interface SealedColumn {
  table: string;
  column: string;
  id: string;
}

/**
 * Rows that the key with the header $1 has not sealed, after the id $2, at most $3. Of approvals only those that wait:
 * the secrets of the others are wiped.
 */
export function sealedRows({ table, column, id }: SealedColumn): string {
  const [input, waiting] = table === 'approval' ? ['input', " and state = 'pending'"] : ['null::jsonb', ''];
  return `select ${id} as id, ${column} as sealed, ${input} as input from ${table} where ${column} is not null
    and substring(${column} from 1 for ${headerLength}) <> $1::bytea and (${id}) > $2${waiting} order by 1 limit $3`;
}

/** Writes the sealed texts $3 to the rows $1, where $2 are there still. */
export function writeSealedRows({ table, column, id }: SealedColumn): string {
  return `update ${table} t set ${column} = k.next from unnest($1::text[], $2::bytea[], $3::bytea[]) as k(row_id, before, next)
    where ${id} = k.row_id and t.${column} = k.before`;
}

/** Hashes of an old key find nothing any more: the worker makes all orders findable again. */
export const dropOrderSearch = `truncate order_search; update order_search_progress set since = until`;
