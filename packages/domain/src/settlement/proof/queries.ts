import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsAs } from '../../database/columns.ts';
import { SettlementRow } from '../../database/entities/settlement.ts';
import { isSuperseded, namesOf, postedReferenceOf } from '../../reconciliation/index.ts';

// What a line names is read from the line itself, as the decision of operators reads it. A break is only found by what it says.
const namedBreak = `select b.merchant_id as "merchantId", b.break_no::float8 as "breakNo", b.channel_id as "channelId", b.kind, n.names, b.reason,
    d.state is not distinct from 'closed' as "isDayClosed", l.file_no || '/' || l.line_no || '/' || l.part as place, l.type, l.direction,
    l.gross::text as amount, l.currency, coalesce(l.bank_ref, l.channel_ref) as "bankRef",
    ${postedReferenceOf('l')} as reported,
    case when f.fetched_day is null and f.confirmed_by is null then f.uploaded_by end as "unconfirmedOf",
    c.account
  from reconciliation_break b
  join statement_line l on l.merchant_id = b.merchant_id and l.file_no = b.file_no and l.line_no = b.line_no and l.part = b.part
  join statement_file f on f.merchant_id = b.merchant_id and f.file_no = b.file_no
  cross join lateral (select ${namesOf()} as names) n
  left join reconciled_channel c on c.merchant_id = b.merchant_id and c.channel_id = b.channel_id
  left join reconciliation_day d on d.merchant_id = b.merchant_id and d.channel_id = b.channel_id and d.day = b.day
  where b.state = 'open' and b.names is not null and n.names is not null and b.decided_at is null and b.owner_id is null and b.answers is null and not ${isSuperseded('l')}`;

/** Open breaks after the break $2 of the tenant $1 whose line names a settlement or a bank file, at most $3. People have not decided on them, and they show no money of an ended break. */
export const namedBreaksSql = `${namedBreak} and (b.merchant_id, b.break_no) > ($1, $2::bigint)
  order by b.merchant_id, b.break_no limit $3`;

/** The open breaks of the tenant $1, but for $2, whose line of the channel $3 and the direction $4 names one of $5; at most $6. */
export const othersSql = `${namedBreak} and b.merchant_id = $1 and b.break_no <> $2::bigint and b.channel_id = $3 and l.direction = $4 and n.names = any($5::text[])
  order by b.break_no limit $6`;

const settlementsSql = (orm: MikroORM): string =>
  `select ${columnsAs(orm, SettlementRow, { alias: 't', prefix: '' }).text}, f.debit_line as "fileLine", a.account_id as "payingId",
    a.sealed as "payingSealed" from settlement t
  join merchant m on m.merchant_id = t.merchant_id and 'PLATFORM-' || m.country = $1
  left join settlement_file f on f.merchant_id = $1 and f.file_no = t.file_no
  left join settlement_account a on a.merchant_id = $1 and a.account_id = coalesce(f.account_id,
    (select account_id from settlement_account where merchant_id = $1 order by created_at desc, account_id desc limit 1))`;

/** The settlements of this number ($2) in the country of a tenant ($1). A number has the tag of its merchant, which two merchants can share. */
export const settlementsOfNumberSql = (orm: MikroORM): string =>
  `${settlementsSql(orm)} where m.tag = substr($2::text, 3, 4) and t.settlement_no = $2 order by t.merchant_id`;

/** The settlement that a channel of the country of a tenant ($1) pays under this number ($2). */
export const settlementOfPaymentSql = (orm: MikroORM): string => `${settlementsSql(orm)} where t.payment_no = $2`;

/** All settlements of a bank file ($2) of a tenant ($1). */
export const settlementsOfFileSql = (orm: MikroORM): string =>
  `${settlementsSql(orm)} where t.file_no = $2 order by t.merchant_id, t.seq`;

/** The accounts of a tenant's channels, as their statements name them. Parameters: $1 tenant. */
export const channelAccountsSql =
  'select channel_id as "channelId", account from reconciled_channel where merchant_id = $1 and account is not null order by channel_id';

/** The newest accounts that pay bank files of a tenant. Parameters: $1 tenant, $2 limit. */
export const payersSql = `select account_id as "payingId", sealed as "payingSealed" from settlement_account where merchant_id = $1
  order by created_at desc, account_id desc limit $2::integer`;

/** A bank file of a tenant ($1) by its number ($2). */
export const namedFileSql = `select file_no as "fileNo", state, debit_line as "debitLine", settlements as payments from settlement_file where merchant_id = $1 and file_no = $2`;

/** Keeps the line $3 that shows the payment of a whole bank file. */
export const proveFileSql =
  'update settlement_file set debit_line = $3 where merchant_id = $1 and file_no = $2 and debit_line is null';
