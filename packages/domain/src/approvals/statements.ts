import type { MikroORM } from '@mikro-orm/postgresql';
import { tokenIdLength } from '../configuration/index.ts';
import { columnsOf, millis } from '../database/columns.ts';
import { ApprovalRow } from '../database/entities/access.ts';
import { OrderRow } from '../database/entities/order.ts';
import { platformTenant } from '../ledger/index.ts';
import type { Scope } from '../lists/scope.ts';
import { type Add, whereAll } from '../lists/values.ts';

/** The state of an approval `t` by the database's clock. It is expired from its expiry time on, without a write. */
export const approvalState = `case when t.state = 'pending' and t.expires_at <= clock_timestamp() then 'expired' else t.state end`;

/** Approvals `t` that wait for a decision. An index has these by the time of their request. */
const isPending = [`t.state = 'pending'`, 't.expires_at > clock_timestamp()'];

/** Which pending approvals an operator may decide. A list of approvals can be filtered by it. */
export interface Decidable {
  /** The operator, who does not decide what they requested. */
  operatorId: string;
  operations: readonly string[];
  /** All operations but these as well; null: none of them. */
  otherThan: readonly string[] | null;
  /** Operations whose input names a channel. */
  withChannel: readonly string[];
}

/** Conditions of approvals `t` that an operator of this scope may decide, besides those of the scope. */
export function isDecidable(decidable: Decidable, { countries, merchantIds }: Scope, add: Add): string[] {
  const { operatorId, operations, otherThan, withChannel } = decidable;
  const conditions = [
    ...isPending,
    `t.asked_by <> ${add(operatorId)}`,
    `(t.operation = any(${add(operations)}::text[]) or t.operation <> all(${add(otherThan)}::text[]))`,
  ];
  if (countries === null && merchantIds === null) return conditions;
  // As `mayUseChannelOf`: a route of a merchant within the scope uses the channel.
  const routed = [
    `r.channel_id = t.input ->> 'channelId'`,
    ...(merchantIds === null ? [] : [`r.merchant_id = any(${add(merchantIds)}::text[])`]),
    ...(countries === null ? [] : [`m.country = any(${add(countries)}::text[])`]),
  ];
  return [
    ...conditions,
    `(t.operation <> all(${add(withChannel)}::text[]) or exists (select from route r join merchant m using (merchant_id)${whereAll(routed)}))`,
  ];
}

/** The columns of an approval `t`, without its secrets. */
export function approvalColumns(orm: MikroORM): string {
  return `${columnsOf(orm, ApprovalRow, ['state', 'secrets'])}, ${approvalState} as state`;
}

export function approvalByIdSql(orm: MikroORM): string {
  return `select ${approvalColumns(orm)} from approval t where approval_id = $1`;
}

/** Pending approvals, the oldest first, at most $3, in the countries $1 and of the merchants $2 (null: any). */
export function pendingApprovalsSql(orm: MikroORM): string {
  return `select ${approvalColumns(orm)} from approval t join merchant m using (merchant_id)
     where t.state = 'pending' and t.expires_at > clock_timestamp()
       and ($1::text[] is null or (m.country = any($1) and merchant_id <> '${platformTenant}'))
       and ($2::text[] is null or merchant_id = any($2))
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

export const rolesOfOperatorSql = 'select roles from operator where operator_id = $1';

/** One row if a route of the merchants $3 in the countries $2 (null: any) uses the channel $1. */
export const routeToChannelSql = `select from route r join merchant m using (merchant_id) where r.channel_id = $1
       and ($2::text[] is null or m.country = any($2)) and ($3::text[] is null or r.merchant_id = any($3)) limit 1`;

/** One row if any operator signs in by an identity. */
export const anyIdentitySql = 'select from operator where external_id is not null and enabled limit 1';

/**
 * Who changed last what the merchant $1 has under the name $2, and when: a transition of the order, or an operator's decision.
 * Actions of $4 change nothing that is decided by. A case ($3) may have been closed together with another one, or with its order: it has the time of that decision.
 */
export const lastChangeSql = `select "by", ${millis('at')} as at from (
    (select regexp_replace(actor, '^operator:', '') as "by", at from order_transition where merchant_id = $1 and order_no = $2 order by seq desc limit 1)
    union all
    (select actor, at from audit_record where merchant_id = $1 and subject = $2 and action <> all($4) order by audit_no desc limit 1)
    union all
    (select r.actor, r.at from money_case c join audit_record r on r.merchant_id = c.merchant_id and r.at = c.closed_at
     where c.merchant_id = $1 and c.case_no = $3::bigint and r.action in ('creditCase', 'returnCase', 'resolvePayout') limit 1)
  ) found order by at desc limit 1`;

/** What an operator ($1) has moved alone today, by currency. */
export const usedTodaySql = `select currency, amount::text as amount from operator_day
     where operator_id = $1 and day = (clock_timestamp() at time zone 'UTC')::date`;

/** The orders of merchants ($1) by their numbers ($2). */
export function ordersOfCasesSql(orm: MikroORM): string {
  return `select ${columnsOf(orm, OrderRow)} from orders t
     join (select distinct m, n from unnest($1::text[], $2::text[]) as k(m, n)) k on t.merchant_id = k.m and t.order_no = k.n`;
}

/** Which orders of merchants ($1), by their numbers ($2), have a notification. */
export const notifiedOrdersSql = `select k.m as "merchantId", k.n as "orderNo" from unnest($1::text[], $2::text[]) as k(m, n)
     where exists (select from notification t where t.merchant_id = k.m and t.order_no = k.n)`;

/** Which of the operators $1 have something to revoke: a token other than that of the id $2, or an open invitation. */
export const withAccessSql = `select o as "operatorId" from unnest($1::text[]) as o
     where exists (select from operator_token t where t.operator_id = o and t.revoked_at is null
         and left(t.token_hash, ${tokenIdLength}) is distinct from $2::text)
       or exists (select from operator_invitation i where i.operator_id = o and i.ended_at is null and i.redeemed_at is null)`;
