// Copy to packages/domain/src/countries/vn/ (docs/developers/add-a-country.md): imports are relative to there.
import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TransitionRow } from '../../core/transitions.ts';
import type { PayinRequest, PayinRules } from '../definition.ts';
import { amount, merchantOrderNo, name, notifyUrl, readBy, text } from '../fields.ts';
import { viewOf } from '../view.ts';

const schema = z
  .object({
    merchantOrderNo,
    amount,
    payerName: name,
    notifyUrl: notifyUrl.optional(),
    remark: text(255).optional(),
  })
  .transform(
    (body): PayinRequest => ({
      merchantOrderNo: body.merchantOrderNo,
      amount: body.amount,
      bankCode: null,
      notifyUrl: body.notifyUrl ?? null,
      details: omitUndefined({ party: { name: body.payerName }, remark: body.remark }),
    }),
  );

const fields = [
  ...(['orderNo', 'merchantOrderNo', 'amount', 'feeAmount', 'netAmount'] as const),
  ...(['status', 'payUrl', 'payQr', 'createdAt'] as const),
];

/** All that may happen to a payin. */
// biome-ignore format: a table is read by its columns
const transitions: readonly TransitionRow[] = [
  { from: ['new'], trigger: 'created', to: 'created' },
  { from: ['created'], trigger: 'channel_accepted', to: 'processing' },
  { from: ['created', 'processing'], trigger: 'channel_refused', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_failed', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_unanswered', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'paid', to: 'completed' },
  { from: ['created', 'processing'], trigger: 'unpaid', to: 'cancelled' },
  { from: ['created', 'processing'], trigger: 'operator_cancelled', to: 'cancelled' },
  { from: ['failed', 'cancelled'], trigger: 'case_credited', to: 'completed' },
];

export const payin: PayinRules = {
  submittedBy: 'request',
  defaultNotifyUrl: true,
  notifications: { statuses: ['completed', 'failed', 'cancelled'], extraFields: ['currency'] },
  ...readBy(schema),
  createView: viewOf(fields),
  queryView: viewOf([...fields, 'completedAt', 'failureReason']),
  transitions,
  example: { merchantOrderNo: 'M-10005', amount: '250000.00', payerName: 'Nguyen Van An', remark: 'Order 10005' },
};
