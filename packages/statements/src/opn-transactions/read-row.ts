import type { StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import { z } from 'zod';
import type { Limits } from '../limits.ts';
import { type Hundredths, readMinorUnits } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayIn, readIsoTime } from '../reading/dates.ts';
import { lineRow, readCurrencyOfHundredths } from '../reading/line.ts';
import { readReference, requireReference } from '../reading/references.ts';
import { opnTypeOf } from './types.ts';

/** With `expand=true` an answer has this object instead of the id of the origin. */
const wireOrigin = z.object({
  id: z.string(),
  amount: z.number().nullish(),
  net: z.number().nullish(),
  fee: z.number().nullish(),
  fee_vat: z.number().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

const origin = z.union([z.string(), wireOrigin]);

/**
 * A transaction in satang, of version 2019-05-29 of the API (https://docs.omise.co/transactions-api), or of 2017-11-02,
 * in which four fields have other names.
 */
export const wireTransaction = z.object({
  object: z.literal('transaction'),
  id: z.string(),
  amount: z.number(),
  currency: z.string(),
  direction: z.string().nullish(),
  type: z.string().nullish(),
  origin: origin.nullish(),
  source: origin.nullish(),
  created_at: z.string().nullish(),
  created: z.string().nullish(),
});

/** `amount` is what the balance changed by. An expanded origin says how much of the gross amount was fee and VAT. */
export function readTransaction(
  item: z.infer<typeof wireTransaction>,
  lineNo: number,
  { limits, options }: { limits: Limits; options: StatementOptions },
): StatementRow[] {
  const longest = limits.referenceLength;
  const currency = readCurrencyOfHundredths(item.currency, options.currency);
  const word = item.direction ?? item.type;
  if (word !== 'credit' && word !== 'debit') throw new BadRow('direction is neither credit nor debit');
  const net = readMinorUnits(item.amount, 'amount');
  const from = item.origin ?? item.source;
  const whole = typeof from === 'object' ? from : null;
  const channelRef = requireReference(typeof from === 'string' ? from : whole?.id, 'origin', longest);
  requireReference(item.id, 'id', longest);
  const occurredAt = readIsoTime(item.created_at ?? item.created ?? '', 'UTC');
  const row = lineRow({
    lineNo,
    type: opnTypeOf(`${channelRef.split('_')[0]} ${word}`) ?? 'unknown',
    ...(word === 'credit' ? readCredit(net, whole) : { direction: 'out' as const, gross: net }),
    currency,
    occurredAt,
    bookedOn: dayIn(occurredAt, options.timeZone),
    channelRef,
    orderNo: readReference(whole?.metadata?.tidegate_order, 'the order number', longest),
  });
  return [row];
}

function readCredit(
  net: Hundredths,
  whole: z.infer<typeof wireOrigin> | null,
): { direction: 'in'; gross: Hundredths; fee?: Hundredths; tax?: Hundredths } {
  const { amount, fee, fee_vat: vat } = whole ?? {};
  if (typeof amount !== 'number' || typeof fee !== 'number') return { direction: 'in', gross: net };
  const amounts = {
    gross: readMinorUnits(amount, 'origin.amount'),
    fee: readMinorUnits(fee, 'origin.fee'),
    tax: readMinorUnits(vat ?? 0, 'origin.fee_vat'),
  };
  if (amounts.gross - amounts.fee - amounts.tax !== net) throw new BadRow('amount, fee and the origin do not agree');
  return { direction: 'in', ...amounts };
}
