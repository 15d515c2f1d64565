import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import type { Currency } from '../../core/country.ts';
import { signedSum } from '../../core/money.ts';
import { type EntryType, entryTypes } from '../../core/wallet.ts';
import { beginningOfDay, isTimeZone } from '../../core/zone-time.ts';
import type { Database } from '../../database/database.ts';
import { merchantId } from '../../lists/filter-parts.ts';
import type { Scope } from '../../lists/scope.ts';
import { loadWallets } from '../load-wallets.ts';
import { periodSql, totalsSql } from './queries.ts';

const dayMs = 86_400_000;
const day = boundedText(10, undefined, 'must be a day, as 2026-11-30').pipe(z.iso.date('must be a day, as 2026-11-30'));

/** Whole days of a time zone; `lastDay` is included. */
export const statementRequest = z
  .strictObject({
    merchantId,
    firstDay: day,
    lastDay: day,
    timeZone: boundedText(256).refine(isTimeZone, 'must be the name of an IANA time zone, e.g. Asia/Kolkata').nullish(),
  })
  .refine(({ firstDay, lastDay }) => firstDay <= lastDay, { path: ['lastDay'], error: 'must not lie before firstDay' })
  .refine(({ firstDay, lastDay }) => Date.parse(lastDay) - Date.parse(firstDay) < 400 * dayMs, {
    path: ['lastDay'],
    error: 'must lie less than 400 days after firstDay',
  });

/** Amounts are decimal text in the wallet's currency. `balance` is available and frozen together. */
export interface Balance {
  available: string;
  frozen: string;
  balance: string;
}

/** The sum of a statement's entries of one type. */
export interface EntryTotal {
  type: EntryType;
  entries: number;
  availableChange: string;
  frozenChange: string;
}

/** A wallet over a period: opening balance, entries, closing balance. */
export interface WalletStatement {
  merchantId: string;
  currency: Currency;
  /** The period in Unix milliseconds, without `to`. */
  from: number;
  to: number;
  timeZone: string;
  /** The numbers of its entries: after the first, up to the second. */
  after: number;
  last: number;
  opening: Balance;
  closing: Balance;
}

interface PeriodRow {
  currency: Currency;
  after: number;
  last: number;
  openingAvailable: string;
  openingFrozen: string;
  closingAvailable: string;
  closingFrozen: string;
}

/** A wallet's statement over a range of days; null for a merchant out of scope. Its cost does not grow with the wallet. */
export async function readStatement(
  access: { database: Database },
  scope: Scope,
  request: { merchantId: string; firstDay: string; lastDay: string; timeZone: string },
): Promise<WalletStatement | null> {
  const { merchantId: of, firstDay, lastDay, timeZone } = request;
  const [wallet] = await loadWallets(access, scope, [of]);
  if (!wallet) return null;
  const from = beginningOfDay(timeZone, Date.parse(firstDay));
  const to = beginningOfDay(timeZone, Date.parse(lastDay) + dayMs);
  const { rows } = await access.database.reading.query<PeriodRow>(periodSql, [of, from, to]);
  const [row] = rows;
  if (!row) return null;
  const { currency, after, last } = row;
  return {
    merchantId: of,
    currency,
    from,
    to,
    timeZone,
    after,
    last,
    opening: balanceOf(currency, row.openingAvailable, row.openingFrozen),
    closing: balanceOf(currency, row.closingAvailable, row.closingFrozen),
  };
}

/** The most entries that are read one by one for sums, twenty times as many as two parts of blocks have. */
const maxRead = 40_000;

/**
 * The sums of a statement's entries by type. Null while the blocks of this wallet are being written after an upgrade.
 */
export async function readStatementTotals(
  { database }: { database: Database },
  { merchantId: of, after, last }: Pick<WalletStatement, 'merchantId' | 'after' | 'last'>,
  limit = maxRead,
): Promise<EntryTotal[] | null> {
  const { rows } = await database.reading.query<EntryTotal & { fits: boolean }>(totalsSql, [of, after, last, limit]);
  if (!rows[0]?.fits) return null;
  const totals = new Map(rows.map(({ fits: _, ...total }) => [total.type, total]));
  return entryTypes.flatMap((type) => totals.get(type) ?? []);
}

function balanceOf(currency: Currency, available: string, frozen: string): Balance {
  return { available, frozen, balance: signedSum(currency, available, frozen) };
}
