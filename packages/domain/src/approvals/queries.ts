import type { MikroORM } from '@mikro-orm/postgresql';
import { tokenIdLength } from '../configuration/index.ts';
import { columnsOf, millis } from '../database/columns.ts';
import { ApprovalRow } from '../database/entities/access.ts';
import { OrderRow } from '../database/entities/order.ts';
import { platformTenant } from '../ledger/index.ts';
import { isAbout } from '../lists/conditions.ts';
import type { Scope } from '../lists/scope.ts';
import { type Add, whereAll } from '../lists/values.ts';

/** The state of an approval `t` by the database's clock. It is expired from its expiry time on, without a write. */
export const approvalState = `case when t.state = 'pending' and t.expires_at <= clock_timestamp() then 'expired' else t.state end`;

/** Approvals `t` that wait for a decision. An index has these by the time of their request. */
const isPending = [`t.state = 'pending'`, 't.expires_at > clock_timestamp()'];

/** The pending approvals that an operator may decide. A list of approvals can be filtered by it. */
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

/** Pending approvals about these objects. Parameters: $1 tenants, $2 their subjects. */
export function approvalsAboutSql(orm: MikroORM): string {
  return `select ${approvalColumns(orm)} from approval t
    join (select distinct m, n from unnest($1::text[], $2::text[]) as k(m, n)) k on t.merchant_id = k.m and ${isAbout('k.n')}
    where ${isPending.join(' and ')} order by t.asked_at desc`;
}

/** Pending approvals, the oldest first. Parameters: $1 countries and $2 merchants (null: any), $3 limit. */
export function pendingApprovalsSql(orm: MikroORM): string {
  return `select ${approvalColumns(orm)} from approval t join merchant m using (merchant_id)
     where t.state = 'pending' and t.expires_at > clock_timestamp()
       and ($1::text[] is null or (m.country = any($1) and merchant_id <> '${platformTenant}'))
       and ($2::text[] is null or merchant_id = any($2))
     order by t.asked_at, t.approval_id limit $3`;
}

export const secretsOfApprovalSql = 'select secrets from approval where approval_id = $1';

/** The sealed secrets of approvals that can still be decided. Parameters: $1 approvals, $2 operations. */
export const secretsOfApprovalsSql = `select approval_id as "approvalId", secrets from approval
  where approval_id = any($1::text[]) and operation = any($2::text[]) and state = 'pending' and expires_at > clock_timestamp() and secrets is not null`;

/**
 * The money that approvals are about, in the currency of their tenant. An amount that was seen with the request comes before the present one. A bank file
 * takes the 1,000 settlements that wait longest. Parameters: $1 approvals.
 */
export const moneyOfApprovalsSql = `select f."approvalId", f.currency, f.amount::text as amount from (
    select t.approval_id as "approvalId", w.currency, coalesce(
      (t.input ->> 'amount')::numeric,
      (t.input ->> 'seenAmount')::numeric,
      (select -e.available_change from wallet_entry e where t.operation = 'reverseBooking' and e.merchant_id = t.merchant_id
         and e.booking_no = t.input ->> 'bookingNo'),
      (select o.amount from orders o where o.merchant_id = t.merchant_id and o.order_no = t.input ->> 'orderNo'),
      (select sum(c.amount) from money_case c where c.merchant_id = t.merchant_id
         and c.case_no in (select (t.input ->> 'caseNo')::bigint union select jsonb_array_elements_text(t.input -> 'alsoCaseNos')::bigint)),
      (select b.amount from reconciliation_break b where b.merchant_id = t.merchant_id and b.break_no = (t.input ->> 'breakNo')::bigint),
      (select s.amount from settlement s where s.merchant_id = t.merchant_id and s.settlement_no = t.input ->> 'settlementNo'),
      (select sum(p.amount) from (select s.amount from settlement s join merchant m on m.merchant_id = s.merchant_id
         where t.operation = 'createSettlementFile' and t.state = 'pending' and s.state = 'approved' and m.country = t.input ->> 'country'
         order by s.approved_at, s.merchant_id limit 1000) p)) as amount
    from approval t join wallet w on w.merchant_id = t.merchant_id where t.approval_id = any($1::text[])) f
  where f.amount is not null`;

export const countryOfMerchantSql = 'select country from merchant where merchant_id = $1';

/** How long the roles from an identity provider count after the last sign-in, in hours. */
const identityHours = 24;

/**
 * The current roles and restriction of an operator. `hasToken`: they have a valid token. Parameters: $1 operator, $2 id
 * of that token, or null for any.
 */
export const rightsSql = `select o.enabled, o.roles, o.countries, o.merchant_ids as "merchantIds", o.identity_roles as "identityRoles",
       coalesce(o.identity_seen_at > clock_timestamp() - interval '${identityHours} hours', false) as "wasSeen",
       exists (select from operator_token t where t.operator_id = o.operator_id and t.revoked_at is null
         and (t.expires_at is null or t.expires_at > clock_timestamp())
         and ($2::text is null or left(t.token_hash, ${tokenIdLength}) = $2)) as "hasToken"
     from operator o where o.operator_id = $1`;

export const rolesOfOperatorSql = 'select roles from operator where operator_id = $1';

/** One row if a route uses the channel. Parameters: $1 channel, $2 countries and $3 merchants of the route (null: any). */
export const routeToChannelSql = `select from route r join merchant m using (merchant_id) where r.channel_id = $1
       and ($2::text[] is null or m.country = any($2)) and ($3::text[] is null or r.merchant_id = any($3)) limit 1`;

/** Who uploaded the statement $2 of the tenant $1, or had it imported, and the kinds of sign-in that they have or had. */
export const uploadersSql = `select o.operator_id as "operatorId", o.external_id is not null as "hasIdentity",
       exists (select from operator_token t where t.operator_id = o.operator_id) as "hasToken"
     from statement_file f join operator o on o.operator_id = f.uploaded_by or o.operator_id = any(f.imported_by)
     where f.merchant_id = $1 and f.file_no = $2::bigint and f.fetched_day is null and f.confirmed_by is null order by 1`;

/** One row if any operator signs in by an identity. */
export const anyIdentitySql = 'select from operator where external_id is not null and enabled limit 1';

/**
 * Who changed a subject of a merchant last, and when: a transition of the order, or an operator's decision. A case may have been closed together with
 * another one, or with its order: it has the time of that decision. Parameters: $1 merchant, $2 subject, $3 case, $4 actions that do not count.
 */
export const lastChangeSql = `select "by", ${millis('at')} as at from (
    (select regexp_replace(actor, '^operator:', '') as "by", at from order_transition where merchant_id = $1 and order_no = $2 order by seq desc limit 1)
    union all
    (select actor, at from audit_record where merchant_id = $1 and subject = $2 and action <> all($4) order by audit_no desc limit 1)
    union all
    (select r.actor, r.at from money_case c join audit_record r on r.merchant_id = c.merchant_id and r.at = c.closed_at
     where c.merchant_id = $1 and c.case_no = $3::bigint and r.action in ('creditCase', 'returnCase', 'resolvePayout') limit 1)
  ) found order by at desc limit 1`;

/** What an operator has moved alone today, by currency. Parameters: $1 operator. */
export const usedTodaySql = `select currency, amount::text as amount from operator_day
     where operator_id = $1 and day = (clock_timestamp() at time zone 'UTC')::date`;

/** Orders by their numbers. Parameters: $1 merchants, $2 order numbers. */
export function ordersOfCasesSql(orm: MikroORM): string {
  return `select ${columnsOf(orm, OrderRow)} from orders t
     join (select distinct m, n from unnest($1::text[], $2::text[]) as k(m, n)) k on t.merchant_id = k.m and t.order_no = k.n`;
}

/** Orders that have a notification. Parameters: $1 merchants, $2 their order numbers. */
export const notifiedOrdersSql = `select k.m as "merchantId", k.n as "orderNo" from unnest($1::text[], $2::text[]) as k(m, n)
     where exists (select from notification t where t.merchant_id = k.m and t.order_no = k.n)`;

/** Operators with something to revoke: a token, or an open invitation. Parameters: $1 operators, $2 id of a token that does not count. */
export const withAccessSql = `select o as "operatorId" from unnest($1::text[]) as o
     where exists (select from operator_token t where t.operator_id = o and t.revoked_at is null
         and left(t.token_hash, ${tokenIdLength}) is distinct from $2::text)
       or exists (select from operator_invitation i where i.operator_id = o and i.ended_at is null and i.redeemed_at is null)`;
