import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TransitionRow } from '../../core/transitions.ts';
import type { PayinRequest, PayinRules } from '../definition.ts';
import {
  amount,
  bankCode,
  email,
  forbidden,
  ignored,
  matching,
  merchantOrderNo,
  name,
  notifyUrl,
  ownObject,
  readBy,
  text,
} from '../fields.ts';
import { viewOf } from '../view.ts';
import { mobileSchema } from './payee.ts';

// Pakistan. Contract "Create payin: PK"; decisions 4, 5.7, 5.8, 7.1.

const mobile = matching(11, mobileSchema, 'must be 11 digits starting with 03').describe(
  '11 digits, starting with `03`.',
);

const schemaWith = (deprecated: typeof ignored | typeof forbidden) =>
  z
    .object({
      merchantOrderNo,
      amount,
      countryCode: deprecated,
      currency: deprecated,
      metadata: deprecated,
      bankCode: bankCode.describe('Recommended. `QRANDLAUNCH` gives a `payQr` as well.').optional(),
      bankName: ignored,
      notifyUrl: notifyUrl.optional(),
      remark: text(255).optional(),
      payer_mobile: mobile,
      payer_realname: name.optional(),
      payer_email: email.optional(),
      payer_id_no: text(64).optional(),
      extJson: ownObject.optional(),
    })
    .transform(
      (body): PayinRequest => ({
        merchantOrderNo: body.merchantOrderNo,
        amount: body.amount,
        bankCode: body.bankCode ?? null,
        notifyUrl: body.notifyUrl ?? null,
        details: omitUndefined({
          party: omitUndefined({
            name: body.payer_realname,
            mobile: body.payer_mobile,
            email: body.payer_email,
            idNo: body.payer_id_no,
          }),
          remark: body.remark,
          extra: body.extJson,
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
  'payQr',
  'createdAt',
] as const;

const example = {
  merchantOrderNo: 'M-10004',
  amount: '1500.00',
  bankCode: 'JAZZCASH',
  notifyUrl: 'https://shop.example/notify',
  payer_mobile: '03001234567',
  payer_realname: 'Ali Khan',
  payer_email: 'ali.khan@example.com',
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
  submittedBy: 'request',
  defaultNotifyUrl: false,
  notifications: { statuses: ['completed'], extraFields: [] },
  ...readBy(schemaWith(forbidden), schemaWith(ignored)),
  createView: viewOf(created, { createdAt: 'iso8601' }),
  queryView: viewOf([...created, 'completedAt', 'failureReason'], { createdAt: 'iso8601' }),
  transitions,
  example,
};
