import type { StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { type Hundredths, readMinorUnits } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayIn, readUnixSeconds } from '../reading/dates.ts';
import type { Limits } from '../reading/limits.ts';
import { lineRow, readCurrencyOfHundredths } from '../reading/line.ts';
import { readReference, requireReference } from '../reading/references.ts';
import { razorpayTypeOf } from './types.ts';

/** An item of the recon, as https://razorpay.com/docs/api/settlements/fetch-recon describes it. Amounts are in paise. */
export const wireItem = z.object({
  entity_id: boundedText(4_096),
  type: boundedText(4_096),
  debit: z.number(),
  credit: z.number(),
  amount: z.number(),
  currency: boundedText(4_096),
  fee: z.number(),
  tax: z.number(),
  settled: z.boolean().nullish(),
  created_at: z.number(),
  settled_at: z.number().nullish(),
  settlement_id: boundedText(4_096).nullish(),
  settlement_utr: boundedText(4_096).nullish(),
  order_receipt: boundedText(4_096).nullish(),
});

/** The order number of a row is the receipt of its order, which is the reference of our payment link. */
export function readItem(
  item: z.infer<typeof wireItem>,
  lineNo: number,
  { limits, options }: { limits: Limits; options: StatementOptions },
): StatementRow[] {
  const longest = limits.referenceLength;
  const currency = readCurrencyOfHundredths(item.currency, options.currency);
  if (item.settled === false) throw new BadRow('not settled');
  const [debit, credit] = [readMinorUnits(item.debit, 'debit'), readMinorUnits(item.credit, 'credit')];
  if (debit < 0n || credit < 0n || debit > 0n === credit > 0n) throw new BadRow('a row has either a debit or a credit');
  const direction = credit > 0n ? 'in' : 'out';
  const amounts = readAmounts(item, direction === 'in' ? credit : -debit);
  const row = lineRow({
    lineNo,
    type: razorpayTypeOf(item.type) ?? 'unknown',
    direction,
    ...amounts,
    currency,
    occurredAt: readUnixSeconds(item.created_at, 'created_at'),
    bookedOn: dayIn(readUnixSeconds(item.settled_at, 'settled_at'), options.timeZone),
    channelRef: requireReference(item.entity_id, 'entity_id', longest),
    orderNo: readReference(item.order_receipt, 'order_receipt', longest),
    settlementRef:
      readReference(item.settlement_utr, 'settlement_utr', longest) ??
      readReference(item.settlement_id, 'settlement_id', longest),
  });
  return [row];
}

/**
 * `fee` of a payment includes `tax`, but in older answers it does not. The amount that moved shows which of the two
 * applies. A fee that was not deducted from this money, for example one paid with fee credits, does not belong to this
 * row.
 */
function readAmounts(item: z.infer<typeof wireItem>, moved: Hundredths) {
  const [amount, fee] = [readMinorUnits(item.amount, 'amount'), readMinorUnits(item.fee, 'fee')];
  const tax = readMinorUnits(item.tax, 'tax');
  const gross = moved < 0n ? -amount : amount;
  if (amount >= 0n && fee >= 0n && tax >= 0n) {
    if (gross - fee === moved && fee >= tax) return { gross: amount, fee: fee - tax, tax };
    if (gross - fee - tax === moved) return { gross: amount, fee, tax };
    if (gross === moved) return { gross: amount, fee: 0n, tax: 0n };
  }
  throw new BadRow('amount, fee and what moved do not agree');
}
