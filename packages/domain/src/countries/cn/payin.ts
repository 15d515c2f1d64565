import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TransitionRow } from '../../core/transitions.ts';
import type { PayinRequest, PayinRules } from '../definition.ts';
import { amount, exactly, merchantOrderNo, notifyUrl, ownObjectWith, payerFields, readBy, textOf } from '../fields.ts';
import { viewOf } from '../view.ts';

// China. Contract "Create payin: CN"; decisions 4, 5.7, 5.8, 7.1.

const schema = z
  .object({
    merchantOrderNo,
    countryCode: exactly('CN'),
    currency: exactly('CNY'),
    amount,
    notifyUrl: notifyUrl.optional(),
    metadata: ownObjectWith(payerFields).optional(),
  })
  .transform(
    (body): PayinRequest => ({
      merchantOrderNo: body.merchantOrderNo,
      amount: body.amount,
      bankCode: null,
      notifyUrl: body.notifyUrl ?? null,
      details: omitUndefined({
        party: omitUndefined({
          name: textOf(body.metadata, 'payerName'),
          mobile: textOf(body.metadata, 'payerMobile'),
        }),
        returnUrl: textOf(body.metadata, 'returnUrl'),
        extra: body.metadata,
      }),
    }),
  );

const created = ['orderNo', 'merchantOrderNo', 'amount', 'feeAmount', 'netAmount', 'status', 'createdAt'] as const;

const example = {
  merchantOrderNo: 'M-10001',
  countryCode: 'CN',
  currency: 'CNY',
  amount: '88.00',
  notifyUrl: 'https://shop.example/notify',
  metadata: { payerName: 'Li Wei', returnUrl: 'https://shop.example/thanks' },
};

/** All transitions of a payin (decisions 5.2 and 5.3). */
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
  submittedBy: 'worker',
  defaultNotifyUrl: false,
  notifications: { statuses: ['completed', 'failed', 'cancelled'], extraFields: ['currency', 'countryCode'] },
  ...readBy(schema),
  createView: viewOf(created),
  queryView: viewOf([...created, 'completedAt', 'failureReason']),
  transitions,
  example,
};
