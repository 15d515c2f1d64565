import type { StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import { BadRow } from '../reading/bad-row.ts';
import type { Limits } from '../reading/limits.ts';
import { lineRow, requireCurrency } from '../reading/line.ts';
import { findOrderNo } from '../reading/order-numbers.ts';
import { readReference } from '../reading/references.ts';
import { readAmountInHundredths, skipFundsType } from './fields.ts';
import type { Bai2Record } from './records.ts';
import { bai2TypeOf, directionOf } from './types.ts';

export interface RowContext {
  options: StatementOptions;
  limits: Limits;
  currency: string;
  /** The day of the group. */
  bookedOn: string;
  /** `1` is a valid group. Other values are withdrawn groups, corrections and tests. */
  groupStatus: string;
}

/** Reads a record 16: code, amount, funds type, the bank's reference, the customer's reference, text. */
export function readTransaction({ lineNo, fields }: Bai2Record, context: RowContext): StatementRow[] {
  const { options, limits, currency, bookedOn, groupStatus } = context;
  requireCurrency(currency, options.currency);
  if (groupStatus !== '1') throw new BadRow('the group is a deletion, a correction or a test');
  const code = fields[0]?.trim() ?? '';
  const direction = /^\d{3}$/.test(code) ? directionOf(code) : null;
  if (direction === null) throw new BadRow('its code is neither of credits nor of debits');
  const gross = readAmountInHundredths(fields[1]?.trim() ?? '', 'the amount');
  const at = skipFundsType(fields, 2);
  const customer = readReference(fields[at + 1], "the customer's reference", limits.referenceLength);
  const row = lineRow({
    lineNo,
    type: bai2TypeOf(code) ?? 'unknown',
    direction,
    gross,
    currency: options.currency,
    occurredAt: null,
    bookedOn,
    // A continuation (88) begins a new field, also within the text.
    orderNo: findOrderNo([customer], [...fields.slice(at), fields.slice(at + 2).join('')]),
    bankRef: readReference(fields[at], "the bank's reference", limits.referenceLength),
  });
  return [row];
}
