import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TransitionRow } from '../../core/transitions.ts';
import type { PayinRequest, PayinRules } from '../definition.ts';
import { amount, exactly, merchantOrderNo, notifyUrl, ownObjectWith, payerFields, readBy, textOf } from '../fields.ts';
import { viewOf } from '../view.ts';

// India. Contract "Create payin: IN"; decisions 4, 5.7, 5.8, 7.1.

const schema = z
  .object({
    merchantOrderNo,
    countryCode: exactly('IN'),
    currency: exactly('INR'),
    amount,
    notifyUrl: notifyUrl,
    metadata: ownObjectWith(payerFields).optional(),
  })
  .transform(
    (body): PayinRequest => ({
      merchantOrderNo: body.merchantOrderNo,
      amount: body.amount,
      bankCode: null,
      notifyUrl: body.notifyUrl,
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

const created = [
  'orderNo',
  'merchantOrderNo',
  'amount',
  'feeAmount',
  'netAmount',
  'status',
  'payUrl',
  'createdAt',
] as const;

const example = {
  merchantOrderNo: 'M-10003',
  countryCode: 'IN',
  currency: 'INR',
  amount: '500.00',
  notifyUrl: 'https://shop.example/notify',
  metadata: { payerName: 'Asha Rao', payerMobile: '9876543210', returnUrl: 'https://shop.example/thanks' },
};

/** All transitions of a payin (decisions 5.2 and 5.3). */
// biome-ignore format: a table is read by its columns
const transitions: readonly TransitionRow[] = [
  { from: ['new'], trigger: 'created', to: 'created' },
  { from: ['created'], trigger: 'begun', to: 'processing' },
  { from: ['created'], trigger: 'channel_accepted', to: 'processing' },
  { from: ['created', 'processing'], trigger: 'channel_refused', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_failed', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_unanswered', to: 'timeout' },
  { from: ['created', 'processing'], trigger: 'paid', to: 'completed' },
  { from: ['created', 'processing'], trigger: 'unpaid', to: 'timeout' },
  { from: ['created', 'processing'], trigger: 'operator_cancelled', to: 'cancelled' },
  { from: ['failed', 'timeout', 'cancelled'], trigger: 'case_credited', to: 'completed' },
];

export const payin: PayinRules = {
  submittedBy: 'request',
  defaultNotifyUrl: false,
  notifications: { statuses: ['completed', 'failed', 'timeout', 'cancelled'], extraFields: [] },
  ...readBy(schema),
  createView: viewOf(created),
  queryView: viewOf([...created, 'completedAt', 'failureReason']),
  transitions,
  example,
};
