import type { MikroORM } from '@mikro-orm/postgresql';
import { tokenIdLength } from '../configuration/index.ts';
import { columnsOf } from '../database/columns.ts';
import { ApprovalRow } from '../database/entities/access.ts';
import { platformTenant } from '../ledger/index.ts';

/** The state of an approval `t` by the database's clock. It is expired from its expiry time on, without a write. */
export const approvalState = `case when t.state = 'pending' and t.expires_at <= clock_timestamp() then 'expired' else t.state end`;

/** The columns of an approval `t`, without its secrets. */
export function approvalColumns(orm: MikroORM): string {
  return `${columnsOf(orm, ApprovalRow, ['state', 'secrets'])}, ${approvalState} as state`;
}

export function approvalByIdSql(orm: MikroORM): string {
  return `select ${approvalColumns(orm)} from approval t where approval_id = $1`;
}

/** Pending approvals, the oldest first, at most $3, in the countries $1 and of the merchants $2 (null: any). */
export function pendingApprovalsSql(orm: MikroORM): string {
  return pending(orm, '');
}

/** Of these, what the operator $4 did not ask for, of the operations $5; and of operations that are not among $6, unless that is null. */
export function approvalsToDecideSql(orm: MikroORM): string {
  return pending(orm, 'and t.asked_by <> $4 and (t.operation = any($5::text[]) or t.operation <> all($6::text[]))');
}

function pending(orm: MikroORM, further: string): string {
  return `select ${approvalColumns(orm)} from approval t join merchant m using (merchant_id)
     where t.state = 'pending' and t.expires_at > clock_timestamp()
       and ($1::text[] is null or (m.country = any($1) and merchant_id <> '${platformTenant}'))
       and ($2::text[] is null or merchant_id = any($2)) ${further}
     order by t.asked_at, t.approval_id limit $3`;
}

export const secretsOfApprovalSql = 'select secrets from approval where approval_id = $1';

export const countryOfMerchantSql = 'select country from merchant where merchant_id = $1';

/** How long the roles from an identity provider count after the last sign-in, in hours. */
const identityHours = 24;

/**
 * The current roles and restriction of an operator ($1). `hasToken`: they have a valid token, that of the id $2 unless
 * null.
 */
export const rightsSql = `select o.enabled, o.roles, o.countries, o.merchant_ids as "merchantIds", o.identity_roles as "identityRoles",
       coalesce(o.identity_seen_at > clock_timestamp() - interval '${identityHours} hours', false) as "wasSeen",
       exists (select from operator_token t where t.operator_id = o.operator_id and t.revoked_at is null
         and (t.expires_at is null or t.expires_at > clock_timestamp())
         and ($2::text is null or left(t.token_hash, ${tokenIdLength}) = $2)) as "hasToken"
     from operator o where o.operator_id = $1`;

/** One row if a route of the merchants $3 in the countries $2 (null: any) uses the channel $1. */
export const routeToChannelSql = `select from route r join merchant m using (merchant_id) where r.channel_id = $1
       and ($2::text[] is null or m.country = any($2)) and ($3::text[] is null or r.merchant_id = any($3)) limit 1`;

/** One row if any operator signs in by an identity. */
export const anyIdentitySql = 'select from operator where external_id is not null and enabled limit 1';
