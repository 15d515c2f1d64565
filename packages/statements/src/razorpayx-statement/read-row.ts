import type { StatementLineType, StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { type Hundredths, readMinorUnits } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayIn, readUnixSeconds } from '../reading/dates.ts';
import type { Limits } from '../reading/limits.ts';
import { lineRow, readCurrencyOfHundredths } from '../reading/line.ts';
import { readReference, requireReference } from '../reading/references.ts';
import type { RunningBalance } from '../reading/running-balance.ts';
import { razorpayxTypeOf } from './types.ts';

const wireSource = z.object({
  id: boundedText(4_096).nullish(),
  entity: boundedText(4_096).nullish(),
  payout_id: boundedText(4_096).nullish(),
  reference_id: boundedText(4_096).nullish(),
  amount: z.number().nullish(),
  fees: z.number().nullish(),
  tax: z.number().nullish(),
  utr: boundedText(4_096).nullish(),
  bank_reference: boundedText(4_096).nullish(),
});

/** A transaction, as https://razorpay.com/docs/api/x/transactions/entity describes it. Amounts are in paise. */
export const wireTransaction = z.object({
  id: boundedText(4_096),
  account_number: boundedText(4_096).nullish(),
  currency: boundedText(4_096),
  credit: z.number(),
  debit: z.number(),
  balance: z.number(),
  created_at: z.number(),
  source: wireSource.nullish(),
});

type Source = z.infer<typeof wireSource>;

export interface RowContext {
  limits: Limits;
  options: StatementOptions;
  balance: RunningBalance;
}

/** A returned payout has the payout's id as its reference, so that both are found by it. */
export function readTransaction(
  item: z.infer<typeof wireTransaction>,
  lineNo: number,
  { limits, options, balance }: RowContext,
): StatementRow[] {
  const longest = limits.referenceLength;
  const currency = readCurrencyOfHundredths(item.currency, options.currency);
  const [debit, credit] = [readMinorUnits(item.debit, 'debit'), readMinorUnits(item.credit, 'credit')];
  if (debit < 0n || credit < 0n || debit > 0n === credit > 0n) throw new BadRow('a row has either a debit or a credit');
  const balanceAfter = readMinorUnits(item.balance, 'balance');
  const source: Source = item.source ?? {};
  const type = razorpayxTypeOf(source.entity ?? '') ?? 'unknown';
  const occurredAt = readUnixSeconds(item.created_at, 'created_at');
  const own = requireReference(item.id, 'id', longest);
  const sourceId = readReference(source.id, 'source.id', longest);
  const payoutId = readReference(source.payout_id, 'source.payout_id', longest);
  const row = lineRow({
    lineNo,
    type,
    direction: debit > 0n ? 'out' : 'in',
    ...(debit > 0n ? readDebit(source, debit, type) : { gross: credit }),
    currency,
    occurredAt,
    bookedOn: dayIn(occurredAt, options.timeZone),
    balanceAfter,
    channelRef: (type === 'payout_return' ? payoutId : null) ?? sourceId ?? own,
    orderNo: readReference(source.reference_id, 'source.reference_id', longest),
    bankRef:
      readReference(source.utr, 'source.utr', longest) ??
      readReference(source.bank_reference, 'source.bank_reference', longest),
  });
  if (currency === options.currency) balance.add(balanceAfter, credit - debit, occurredAt);
  else balance.skip();
  return [row];
}

/** The fee of a payout, which includes tax. It is debited together with the payout, or separately. */
function readDebit(
  source: Source,
  debit: Hundredths,
  type: StatementLineType,
): { gross: Hundredths; fee?: Hundredths; tax?: Hundredths } {
  if (type !== 'payout' || source.amount === null || source.amount === undefined) return { gross: debit };
  const amount = readMinorUnits(source.amount, 'source.amount');
  const [fees, tax] = [readMinorUnits(source.fees ?? 0, 'source.fees'), readMinorUnits(source.tax ?? 0, 'source.tax')];
  if (amount === debit) return { gross: debit };
  if (amount + fees === debit && fees >= tax && tax >= 0n) return { gross: amount, fee: fees - tax, tax };
  throw new BadRow('the amount with its fee is not the debit');
}
