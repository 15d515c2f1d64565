import type { StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import { boundedText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import { absolute, type Hundredths, readMinorUnits } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayIn, readIsoTime } from '../reading/dates.ts';
import type { Limits } from '../reading/limits.ts';
import { lineRow, readCurrencyOfHundredths } from '../reading/line.ts';
import { readReference, requireReference } from '../reading/references.ts';
import { opnTypeOf } from './types.ts';

/**
 * With `expand=true` an answer has this object instead of the id of the origin. `amount` is in the currency of the
 * payer. `funding_amount`, `fee` and `fee_vat` are in that of the account (https://docs.omise.co/multi-currency).
 */
const wireOrigin = z.object({
  id: boundedText(4_096),
  amount: z.number().nullish(),
  currency: boundedText(4_096).nullish(),
  funding_amount: z.number().nullish(),
  funding_currency: boundedText(4_096).nullish(),
  fee: z.number().nullish(),
  fee_vat: z.number().nullish(),
  metadata: z.record(boundedText(4_096), z.unknown()).nullish(),
});

type WireOrigin = z.infer<typeof wireOrigin>;

/**
 * Opn rounds a converted amount, its fee and the remainder separately, so they can differ by a satang. In a charge of
 * omise-swift (`search-charge-get.json`) 30,716.62 less 1,121.16 and 78.48 came to 29,516.97.
 */
const mostRounded = 1n;

const origin = z.union([boundedText(4_096), wireOrigin]);

/**
 * A transaction in satang, of version 2019-05-29 of the API (https://docs.omise.co/transactions-api), or of 2017-11-02,
 * in which four fields have other names.
 */
export const wireTransaction = z.object({
  object: z.literal('transaction'),
  id: boundedText(4_096),
  amount: z.number(),
  currency: boundedText(4_096),
  direction: boundedText(4_096).nullish(),
  type: boundedText(4_096).nullish(),
  origin: origin.nullish(),
  source: origin.nullish(),
  created_at: boundedText(4_096).nullish(),
  created: boundedText(4_096).nullish(),
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
    ...(word === 'credit' ? readCredit(net, whole, currency) : { direction: 'out' as const, gross: net }),
    currency,
    occurredAt,
    bookedOn: dayIn(occurredAt, options.timeZone),
    channelRef,
    orderNo: readReference(whole?.metadata?.tidegate_order, 'the order number', longest),
  });
  return [row];
}

/** A credit, in the currency of the transaction. What the charge says has to come to what the balance changed by. */
function readCredit(
  net: Hundredths,
  whole: WireOrigin | null,
  currency: string,
): { direction: 'in'; gross: Hundredths; fee?: Hundredths; tax?: Hundredths } {
  const { fee, fee_vat: vat } = whole ?? {};
  const gross = whole && readGross(whole, currency);
  if (!gross || typeof fee !== 'number') return { direction: 'in', gross: net };
  const amounts = {
    gross: gross.amount,
    fee: readMinorUnits(fee, 'origin.fee'),
    tax: readMinorUnits(vat ?? 0, 'origin.fee_vat'),
  };
  const rest = amounts.gross - amounts.fee - amounts.tax - net;
  if (rest !== 0n && !(gross.isConverted && absolute(rest) <= mostRounded))
    throw new BadRow('amount, fee and the origin do not agree');
  // What was taken off altogether is certain, only its parts were rounded.
  return { direction: 'in', ...amounts, fee: amounts.fee + rest };
}

/**
 * What a charge brought in, in the currency of the account: before fees, of a charge that was captured in part only
 * that part. Null: the charge is in another currency and does not say.
 */
function readGross(whole: WireOrigin, currency: string): { amount: Hundredths; isConverted: boolean } | null {
  const { amount, currency: own, funding_amount: funding, funding_currency: into } = whole;
  const isConverted = isOther(own, currency);
  if (isOther(into, currency)) throw new BadRow('the charge was converted into another currency');
  if (typeof funding === 'number' && (typeof into === 'string' || !isConverted))
    return { amount: readMinorUnits(funding, 'origin.funding_amount'), isConverted };
  if (isConverted || typeof amount !== 'number') return null;
  return { amount: readMinorUnits(amount, 'origin.amount'), isConverted };
}

const isOther = (found: string | null | undefined, currency: string): boolean =>
  typeof found === 'string' && found.toUpperCase() !== currency;
