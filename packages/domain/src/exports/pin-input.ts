import { platformMerchantOf } from '../core/country.ts';
import { mayAccess, type OperatorContext } from '../core/operator-rights.ts';
import type { Outcome } from '../core/rejection.ts';
import { timeZoneOf } from '../countries/index.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { platformTenant, readStatement } from '../ledger/index.ts';
import type { ExportInput } from './export-input.ts';
import { countryOfMerchantSql, knownChannelSql, nowSql } from './queries.ts';
import type { Exported, ExportedDay } from './types.ts';

/** What is exported, whose audit records have it, and the beginning of the file's name. */
export interface Pinned {
  exported: Exported;
  tenant: string;
  name: string;
}

/**
 * Fixes what is exported: times get an end and a wallet's period its entries, so that the same rows are written however often a process begins.
 * Refusals: merchant_not_found, channel_not_found, forbidden.
 */
export async function pinInput(
  domain: DatabaseAccess,
  operator: OperatorContext,
  input: ExportInput,
): Promise<Outcome<Pinned>> {
  const { pool } = domain.database;
  const { rows } = await pool.query<{ now: number }>(nowSql);
  const now = rows[0]?.now ?? Date.now();
  const until = (to: number | null | undefined): number => Math.min(to ?? now, now);
  const today = new Date(now).toISOString().slice(0, 10);
  if (input.orders) {
    const filter = { ...input.orders, createdTo: until(input.orders.createdTo) };
    return found({ kind: 'orders', input: filter }, platformTenant, `orders-${today}`);
  }
  if (input.auditRecords) {
    const filter = { ...input.auditRecords, to: until(input.auditRecords.to) };
    return found({ kind: 'audit_records', input: filter }, platformTenant, `audit-${today}`);
  }
  if (input.walletStatement) return pinStatement(domain, operator, input.walletStatement);
  if (input.breaks) return pinDay(domain, operator, 'breaks', { channelId: null, ...channelOf(input.breaks) });
  if (input.statementLines)
    return pinDay(domain, operator, 'statement_lines', { channelId: null, ...channelOf(input.statementLines) });
  throw new Error('an export of nothing');
}

async function pinStatement(
  domain: DatabaseAccess,
  operator: OperatorContext,
  { merchantId, firstDay, lastDay, timeZone: wanted }: NonNullable<ExportInput['walletStatement']>,
): Promise<Outcome<Pinned>> {
  const { rows } = await domain.database.pool.query<{ country: keyof typeof timeZoneOf }>(countryOfMerchantSql, [
    merchantId,
  ]);
  const [merchant] = rows;
  if (!merchant) return { ok: false, rejection: 'merchant_not_found' };
  const timeZone = wanted ?? timeZoneOf[merchant.country];
  const statement = await readStatement(domain, operator, { merchantId, firstDay, lastDay, timeZone });
  if (!statement) return { ok: false, rejection: 'merchant_not_found' };
  const { currency, after, last, opening, closing } = statement;
  const amounts = ({ available, frozen }: typeof opening) => ({ available, frozen });
  const input = {
    merchantId,
    firstDay,
    lastDay,
    timeZone,
    currency,
    after,
    last,
    opening: amounts(opening),
    closing: amounts(closing),
  };
  return found({ kind: 'wallet_statement', input }, merchantId, `${merchantId}-${firstDay}-${lastDay}`);
}

async function pinDay(
  { database }: DatabaseAccess,
  operator: OperatorContext,
  kind: 'breaks' | 'statement_lines',
  input: ExportedDay,
): Promise<Outcome<Pinned>> {
  const { country, channelId, day } = input;
  const tenant = platformMerchantOf(country);
  if (!mayAccess(operator, { merchantId: tenant, country }))
    return { ok: false, rejection: 'forbidden', detail: `you may not see the reconciliation of ${country}` };
  if (channelId !== null) {
    const { rows } = await database.pool.query(knownChannelSql, [channelId]);
    if (rows.length === 0) return { ok: false, rejection: 'channel_not_found' };
  }
  const about = channelId === null ? country : `${country}-${channelId}`;
  return found({ kind, input }, tenant, `${kind.replace('_', '-')}-${about}-${day}`);
}

function channelOf({ country, channelId, day }: NonNullable<ExportInput['breaks']>) {
  return { country, day, ...(channelId != null && { channelId }) };
}

function found(exported: Exported, tenant: string, name: string): Outcome<Pinned> {
  return { ok: true, value: { exported, tenant, name } };
}
