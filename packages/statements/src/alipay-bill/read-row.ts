import type { StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import { absolute, type Hundredths, readAmount } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { dayIn, readIsoTime } from '../reading/dates.ts';
import type { Limits } from '../reading/limits.ts';
import { lineRow } from '../reading/line.ts';
import { readReference, requireReference } from '../reading/references.ts';
import { alipayTypeOf } from './types.ts';

/** The used columns, by their Chinese names. They are found by name, because their order differs between bills. */
export const columnNames = {
  tradeNo: '支付宝交易号',
  orderNo: '商户订单号',
  type: '业务类型',
  completedAt: '完成时间',
  received: '商家实收(元)',
  refundNo: '退款批次号/请求号',
  fee: '服务费(元)',
  share: '分润(元)',
} as const;

export type Column = keyof typeof columnNames;
export const optionalColumns: readonly Column[] = ['share'];

export interface RowContext {
  limits: Limits;
  options: StatementOptions;
}

/** The statement lines of a row, and the facts for the comparison with the totals at the end of the file. */
export interface AlipayRow {
  rows: StatementRow[];
  type: 'payin' | 'refund' | 'unknown';
  received: Hundredths;
}

/**
 * Reads a row of the bill. Its business type decides the direction of the money, because the sign of a refund differs
 * between bills. The amount is what the seller received, as in `receipt_amount` (docs/channels/alipay.md).
 *
 * Two things become separate lines: a fee that is returned with a refund (part 1), and a share of the payment that is
 * paid to others (part 2).
 */
export function readAlipayRow(
  lineNo: number,
  cell: (column: Column) => string,
  { limits, options }: RowContext,
): AlipayRow {
  const type = alipayTypeOf(cell('type')) ?? 'unknown';
  const signed = readAmount(cell('received'), 'the received amount');
  const [received, fee, share] = [
    absolute(signed),
    absolute(readAmount(cell('fee') || '0', 'the fee')),
    absolute(readAmount(cell('share') || '0', 'the share')),
  ];
  if (type === 'payin' && signed < 0n) throw new BadRow('a payment has a minus');
  const isOut = type === 'refund' || (type === 'unknown' && signed < 0n);
  const occurredAt = readIsoTime(cell('completedAt'), options.timeZone);
  const longest = limits.referenceLength;
  const refundNo = readReference(cell('refundNo'), 'the refund number', longest);
  const tradeNo = requireReference(cell('tradeNo'), 'the trade number', longest);
  if (type === 'refund' && refundNo === null) throw new BadRow('the refund number is missing');
  const common = {
    lineNo,
    currency: options.currency,
    occurredAt,
    bookedOn: dayIn(occurredAt, options.timeZone),
    channelRef: type === 'refund' ? refundNo : tradeNo,
    orderNo: readReference(cell('orderNo'), 'the order number', longest),
  };
  const direction = isOut ? 'out' : 'in';
  const back = isOut ? 'in' : 'out';
  const rows: StatementRow[] = [
    lineRow({ ...common, type, direction, gross: received, fee: isOut ? 0n : fee }),
    ...(isOut && fee > 0n ? [lineRow({ ...common, part: 1, type: 'fee', direction: back, gross: fee })] : []),
    ...(share > 0n ? [lineRow({ ...common, part: 2, type: 'adjustment', direction: back, gross: share })] : []),
  ];
  return { rows, type: type === 'payin' || type === 'refund' ? type : 'unknown', received };
}
