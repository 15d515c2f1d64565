import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TransitionRow } from '../../core/transitions.ts';
import type { PayinRequest, PayinRules } from '../definition.ts';
import {
  amount,
  email,
  exactly,
  ignored,
  merchantOrderNo,
  name,
  notifyUrl,
  ownObjectWith,
  readBy,
  text,
} from '../fields.ts';
import { viewOf } from '../view.ts';

// Thailand. Contract "Create payin: TH"; decisions 4, 5.7, 5.8, 7.1.

const extJson = ownObjectWith({ accountNo: text(64) }).prefault({});

const schema = z
  .object({
    merchantOrderNo,
    amount,
    bankCode: exactly('QR'),
    bankName: ignored,
    countryCode: exactly('TH').optional(),
    currency: exactly('THB').optional(),
    notifyUrl: notifyUrl.optional(),
    remark: text(255).optional(),
    payer_mobile: text(32).optional(),
    payer_realname: name.optional(),
    payer_email: email.optional(),
    payer_id_no: text(64).optional(),
    extJson,
  })
  .transform(
    (body): PayinRequest => ({
      merchantOrderNo: body.merchantOrderNo,
      amount: body.amount,
      bankCode: body.bankCode,
      notifyUrl: body.notifyUrl ?? null,
      details: omitUndefined({
        party: omitUndefined({
          name: body.payer_realname,
          mobile: body.payer_mobile,
          email: body.payer_email,
          idNo: body.payer_id_no,
          account: String(body.extJson.accountNo),
        }),
        remark: body.remark,
        extra: body.extJson,
      }),
    }),
  );

const example = {
  merchantOrderNo: 'M-10002',
  amount: '250.00',
  bankCode: 'QR',
  notifyUrl: 'https://shop.example/notify',
  remark: 'Order 10002',
  payer_realname: 'Somchai Jaidee',
  extJson: { accountNo: '1234567890' },
};

/** All transitions of a payin (decisions 5.2 and 5.3). */
// biome-ignore format: a table is read by its columns
const transitions: readonly TransitionRow[] = [
  { from: ['new'], trigger: 'created', to: 'created' },
  { from: ['created'], trigger: 'channel_accepted', to: 'processing' },
  { from: ['created', 'processing'], trigger: 'channel_refused', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_failed', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_unanswered', to: 'timeout' },
  { from: ['created', 'processing', 'partial_paid'], trigger: 'part_paid', to: 'partial_paid' },
  { from: ['created'], trigger: 'funds_confirmed_in_part', to: 'partial_paid' },
  { from: ['created'], trigger: 'funds_confirmed', to: 'completed' },
  { from: ['created', 'processing', 'partial_paid'], trigger: 'paid', to: 'completed' },
  { from: ['created', 'processing', 'partial_paid'], trigger: 'unpaid', to: 'timeout' },
  { from: ['created', 'processing'], trigger: 'operator_cancelled', to: 'cancelled' },
  { from: ['failed', 'timeout', 'cancelled'], trigger: 'case_credited', to: 'completed' },
];

export const payin: PayinRules = {
  submittedBy: 'request',
  defaultNotifyUrl: true,
  notifications: { statuses: ['completed', 'failed', 'timeout'], extraFields: ['failureReason'] },
  ...readBy(schema),
  createView: viewOf([
    'orderNo',
    'merchantOrderNo',
    'amount',
    'feeAmount',
    'netAmount',
    'status',
    'payUrl',
    'payQr',
    'createdAt',
  ]),
  queryView: viewOf([
    'orderNo',
    'merchantOrderNo',
    'amount',
    'feeAmount',
    'netAmount',
    'status',
    'completedAt',
    'createdAt',
  ]),
  transitions,
  example,
};
