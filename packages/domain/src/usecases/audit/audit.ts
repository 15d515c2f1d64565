import { countries } from '../../core/country.ts';
import { entryHash } from '../../core/entry-hash.ts';
import type { OrderKind } from '../../core/order.ts';
import { firstEntryHash, type WalletEntry } from '../../core/wallet.ts';
import { notificationRule } from '../../countries/index.ts';
import { WalletEntryRow } from '../../store/entities/ledger.ts';
import { columnsOf } from '../../store/statements.ts';
import type { Domain } from '../domain.ts';
import { changedDecisions, decisionRules } from './decision-records.ts';
import { brokenLinks } from './hash-chain.ts';
import { auditRules } from './rules.ts';

export interface Violation {
  rule: string;
  merchantId: string;
  detail: string;
}

export interface AuditReport {
  /** At most 100 of each rule. */
  violations: Violation[];
  checked: { wallets: number; orders: number; entries: number; transfers: number; notifications: number };
}

const violationLimit = 100;
const pageSize = 5_000;

/** Proves on the whole database, at one moment of it, what the ledger's design page says is always true. */
export async function audit(domain: Domain): Promise<AuditReport> {
  const client = await domain.database.pool.connect();
  try {
    // One snapshot for all rules, or work going on meanwhile would look like violations.
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0');
    const violations: Violation[] = [];
    const check = async (rule: string, sql: string, values: unknown[] = []): Promise<void> => {
      const { rows } = await client.query<{ merchant_id: string; detail: string }>(
        `${sql} limit ${violationLimit}`,
        values,
      );
      violations.push(...rows.map((row) => ({ rule, merchantId: row.merchant_id, detail: row.detail })));
    };
    for (const [rule, sql] of Object.entries({ ...auditRules, ...decisionRules })) await check(rule, sql);
    await check('an ended order has exactly its notifications', notificationsSql, [
      JSON.stringify(notifyingStatuses()),
    ]);
    const read = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> =>
      (await client.query<Row>(text, values)).rows;
    for (const { merchantId, entryNo } of await changedEntries(domain, read))
      violations.push({ rule: 'entries match their hashes', merchantId, detail: `entry ${entryNo} was changed` });
    for (const { merchantId, auditNo } of await changedDecisions(domain, read, violationLimit))
      violations.push({ rule: 'decisions match their hashes', merchantId, detail: `decision ${auditNo} was changed` });
    const { rows } = await client.query<AuditReport['checked']>(countsSql);
    return { violations, checked: rows[0] as AuditReport['checked'] };
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** Entries whose hashes do not follow from the ones before. */
function changedEntries(
  domain: Domain,
  read: (text: string, values: unknown[]) => Promise<WalletEntry[]>,
): Promise<WalletEntry[]> {
  const text = `select ${columnsOf(domain.database.orm, WalletEntryRow)} from wallet_entry t
    where (merchant_id, entry_no) > ($1, $2) order by merchant_id, entry_no limit ${pageSize}`;
  const chain = {
    pageAfter: (last: WalletEntry | null) => read(text, [last?.merchantId ?? '', last?.entryNo ?? 0]),
    hashOf: (previous: string, { hash: _, ...unhashed }: WalletEntry) => entryHash(previous, unhashed),
    ...{ pageSize, first: firstEntryHash },
  };
  return brokenLinks(chain, violationLimit);
}

function notifyingStatuses(): { kind: OrderKind; country: string; status: string }[] {
  const kinds: OrderKind[] = ['payin', 'payout'];
  return kinds.flatMap((kind) =>
    countries.flatMap((country) =>
      notificationRule(kind, country).statuses.map((status) => ({ kind, country, status })),
    ),
  );
}

// An order that ended twice (failed, then completed by a case) has one for each status that it reached.
const notificationsSql = `
  with reached as (
    select distinct o.merchant_id, o.order_no, t."to" as status
    from orders o join order_transition t using (merchant_id, order_no)
    join json_to_recordset($1::json) as r(kind text, country text, status text) on r.kind = o.kind and r.country = o.country and r.status = t."to"
    where o.notify_url is not null)
  select merchant_id, format('%s %s: %s', order_no, status, case when n.url is null then 'none' else 'one too many' end) as detail
  from reached full join notification n using (merchant_id, order_no, status)
  where n.url is null or not exists (
    select from reached r where r.merchant_id = n.merchant_id and r.order_no = n.order_no and r.status = n.status)`;

const countsSql = `select
  (select count(*) from wallet)::integer as wallets, (select count(*) from orders)::integer as orders,
  (select count(*) from wallet_entry)::integer as entries, (select count(*) from transfer)::integer as transfers,
  (select count(*) from notification)::integer as notifications`;
