import { tokenIdLength } from '../configuration/index.ts';
import { platformTenant } from '../ledger/index.ts';

const millis = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`;

/** The columns of an `ApprovalView`, of the table under the name `a`. */
const approvalColumns = `a.approval_id as "approvalId", a.merchant_id as "merchantId", a.operation, a.subject, a.input,
  a.asked_by as "askedBy", a.reason, ${millis('a.asked_at')} as "askedAt", ${millis('a.expires_at')} as "expiresAt",
  case when a.state = 'pending' and a.expires_at <= clock_timestamp() then 'expired' else a.state end as state,
  a.decided_by as "decidedBy", ${millis('a.decided_at')} as "decidedAt", a.outcome`;

/**
 * Keeps an operation until a second operator decides, for $8 ms. $1 merchant, $2 approval, $3 operation, $4 subject, $5 input (JSON), $6 who asks, $7 why,
 * $9 sealed secrets or null.
 */
export const insertApprovalSql = `insert into approval as a (merchant_id, approval_id, operation, subject, input, asked_by, reason, secrets, asked_at, expires_at)
     select $1, $2, $3, $4, $5, $6, $7, $9, t.now, t.now + $8 * interval '1 ms' from (select clock_timestamp() as now) t
     returning ${approvalColumns}`;

/** Ends a pending approval ($1 merchant, $2 approval) in the state $3, decided by $4 with the outcome $5; no row where it is decided or over. */
export const closeApprovalSql = `update approval a set secrets = null, state = $3, decided_by = $4, decided_at = clock_timestamp(), outcome = $5
     where merchant_id = $1 and approval_id = $2 and state = 'pending' and expires_at > clock_timestamp() returning ${approvalColumns}`;

export const approvalByIdSql = `select ${approvalColumns} from approval a where approval_id = $1`;

/** What waits for a second operator, the oldest first, at most $3: in the countries $1 and of the merchants $2, null for any. */
export const pendingApprovalsSql = `select ${approvalColumns} from approval a join merchant m using (merchant_id)
     where a.state = 'pending' and a.expires_at > clock_timestamp()
       and ($1::text[] is null or (m.country = any($1) and merchant_id <> '${platformTenant}'))
       and ($2::text[] is null or merchant_id = any($2))
     order by a.asked_at, a.approval_id limit $3`;

export const secretsOfApprovalSql = 'select secrets from approval where approval_id = $1';

export const countryOfMerchantSql = 'select country from merchant where merchant_id = $1';

/** For how long what an identity provider said of somebody counts while they are not there, in hours. */
const identityHours = 24;

/** Whether an operator ($1) is let in now, with what roles and restriction; `hasToken`: has a valid token, that of the id $2 unless null. */
export const rightsSql = `select o.enabled, o.roles, o.countries, o.merchant_ids as "merchantIds", o.identity_roles as "identityRoles",
       coalesce(o.identity_seen_at > clock_timestamp() - interval '${identityHours} hours', false) as "wasSeen",
       exists (select from operator_token t where t.operator_id = o.operator_id and t.revoked_at is null
         and (t.expires_at is null or t.expires_at > clock_timestamp())
         and ($2::text is null or left(t.token_hash, ${tokenIdLength}) = $2)) as "hasToken"
     from operator o where o.operator_id = $1`;

/** One row if a route of the merchants $3 in the countries $2 (null for any) leads to the channel $1. */
export const routeToChannelSql = `select from route r join merchant m using (merchant_id) where r.channel_id = $1
       and ($2::text[] is null or m.country = any($2)) and ($3::text[] is null or r.merchant_id = any($3)) limit 1`;

/** One row if anybody comes in by an identity. */
export const anyIdentitySql = 'select from operator where external_id is not null and enabled limit 1';

/** Takes an identity ($1) from the operator that it had of its own, who is disabled. */
export const disableIdentitySql =
  'update operator set external_id = null, enabled = false where external_id = $1 returning operator_id as "operatorId"';

/** Gives the operator $1 the identity $2. */
export const linkIdentitySql = 'update operator set external_id = $2 where operator_id = $1';

export const unlinkIdentitySql =
  'update operator set external_id = null, identity_roles = null, identity_seen_at = null where operator_id = $1';

/** One row if there is such a channel. */
export const channelExistsSql = 'select from channel where channel_id = $1';
