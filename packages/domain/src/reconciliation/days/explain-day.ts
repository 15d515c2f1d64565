import { platformMerchantOf } from '../../core/country.ts';
import type { Database } from '../../database/database.ts';
import { decimalText, minorUnits } from '../files/decide-totals.ts';
import type { BreakKind, BreakState, ReconciliationDay } from '../types.ts';
import type { DayRef } from './close-day.ts';
import { explainDaySql } from './queries.ts';

/**
 * `other_days`: matched, and the other side has it on another day. `other_amounts`: matched within the tolerance. `break`: a break says it, open or ended.
 * `not_matched`: nothing explains it yet.
 */
export const sumReasons = ['other_days', 'other_amounts', 'break', 'not_matched'] as const;
export type SumReason = (typeof sumReasons)[number];

/** A part of the difference between the sums of a day. */
export interface SumPart {
  reason: SumReason;
  breakKind: BreakKind | null;
  breakState: BreakState | null;
  /** Numbers of the breaks, at most 20. */
  breakNos: number[];
  /** Lines and entries of the ledger, or breaks. */
  count: number;
  /** What the statements show beyond the ledger: decimal text with its sign. */
  amount: string;
}

/** Why the sums of a day differ, part by part. The parts add up to the statements minus the ledger. None if both sums are the same. */
export async function explainDay(
  { database }: { database: Database },
  ref: DayRef,
  { statementNet, ledgerNet }: Pick<ReconciliationDay, 'statementNet' | 'ledgerNet'>,
): Promise<SumPart[]> {
  const whole = minorUnits(statementNet) - minorUnits(ledgerNet);
  if (whole === 0n) return [];
  const key = [platformMerchantOf(ref.country), ref.channelId, ref.day];
  const { rows: parts } = await database.reading.query<SumPart & object>(explainDaySql, key);
  const rest = parts.reduce((left, { amount }) => left - minorUnits(amount), whole);
  if (rest === 0n) return parts;
  const nothing = { breakKind: null, breakState: null, breakNos: [], count: 0 };
  return [...parts, { reason: 'not_matched', ...nothing, amount: decimalText(rest) }];
}
