import { Readable } from 'node:stream';
import { audit } from '../audit/audit.ts';
import type { Country } from '../core/country.ts';
import { platformMerchantOf } from '../core/country.ts';
import { timeZoneOf } from '../countries/index.ts';
import type { Domain } from '../open-domain.ts';
import { confirmStatement } from '../reconciliation/files/confirm-statement.ts';
import { importStatement } from '../reconciliation/files/import-statement.ts';
import { receiveStatement } from '../reconciliation/files/receive-statement.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import type { StatementLine } from '../reconciliation/statement.ts';

/** A line over 100.00 that came in for a payin; without references unless they are given. */
export function aLine(changes: Partial<StatementLine> & Pick<StatementLine, 'currency' | 'bookedOn'>): StatementLine {
  const gross = changes.gross ?? '100.00';
  return {
    lineNo: 0,
    part: 0,
    type: 'payin',
    direction: 'in',
    fee: '0.00',
    tax: '0.00',
    net: gross,
    occurredAt: null,
    channelRef: null,
    orderNo: null,
    bankRef: null,
    settlementRef: null,
    balanceAfter: null,
    ...changes,
    gross,
  };
}

/** The bytes of a statement in `jsonLines`. A text is used unchanged. */
export function statementText(rows: readonly (object | string)[]): string {
  return rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('');
}

/** Uploads a statement of the channel `fake`, lets it be imported, and another operator confirm it. Resolves to its number, or that of the first with the same content. */
export async function anImport(
  domain: Domain,
  country: Country,
  rows: readonly (object | string)[],
  channelId = 'fake',
  confirmedBy: string | null = 'bob',
): Promise<number> {
  const bytes = Readable.from([Buffer.from(statementText(rows))]);
  const file = { tenant: platformMerchantOf(country), name: 'a statement', uploadedBy: 'ann' };
  const received = await receiveStatement(domain, file, bytes);
  if (!received.ok) throw new Error(`not received: ${received.problem}`);
  const request = { country, channelId, fileNo: received.file.fileNo, format: 'json-lines' };
  const by = { actor: 'ann', approver: null, reason: 'a test' };
  const done = await importStatement(domain, request, by);
  if (!done.ok) throw new Error(`not imported: ${done.rejection}`);
  const { fileNo, sha256, fetchedDay } = done.value.file;
  if (fetchedDay !== null || confirmedBy === null) return fileNo;
  const confirmed = await confirmStatement(
    domain,
    { country, fileNo, sha256: sha256 ?? '' },
    { ...by, actor: confirmedBy },
  );
  if (!confirmed.ok) throw new Error(`not confirmed: ${confirmed.rejection}`);
  return fileNo;
}

/** Runs the reconciliation until nothing is left to do. */
export async function reconcileAll(domain: Domain): Promise<void> {
  for (let runs = 0; runs < 50; runs += 1) if ((await reconcile(domain)) === 'nothing') return;
  throw new Error('the reconciliation finds no end');
}

/** What the audit finds, but for hashes: rows that were moved to an earlier day have others. */
export async function violationsOfMoved(domain: Domain) {
  const { violations } = await audit(domain);
  return violations.filter(({ rule }) => !rule.includes('hashes'));
}

/** The line that only this version of a day has: with the same one, a file would be no other version. */
export function lineOfVersion(
  line: Pick<StatementLine, 'currency' | 'bookedOn'>,
  channelId: string,
  version: number,
): StatementLine {
  const mark = { type: 'adjustment', direction: 'out', gross: '1.00', channelRef: `${channelId}-v${version}` } as const;
  return aLine({ ...line, ...mark });
}

/** Moves all transfers and cases, or those of a merchant, some days back, as if they had happened then. */
export async function backdateLedger(domain: Domain, days: number, merchantId?: string): Promise<void> {
  const client = await domain.database.pool.connect();
  const of = [days, merchantId ?? null];
  try {
    await client.query("begin; set local session_replication_role = 'replica'");
    for (const [table, column] of [
      ['transfer', 'created_at'],
      ['money_case', 'opened_at'],
    ])
      await client.query(
        `update ${table} set ${column} = ${column} - $1 * interval '1 day' where merchant_id = coalesce($2, merchant_id)`,
        of,
      );
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** The day in the country's time zone, some days ago. */
export function dayAgo(country: Country, days: number): string {
  const at = Date.now() - days * 86_400_000;
  return new Intl.DateTimeFormat('en-CA', { timeZone: timeZoneOf[country] }).format(at);
}

/** The summary of a statement that has none. */
export const noSummary = {
  account: null,
  currency: null,
  from: null,
  to: null,
  lines: null,
  opening: null,
  closing: null,
  totalIn: null,
  totalOut: null,
};
