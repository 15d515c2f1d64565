import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TransitionRow } from '../../core/transitions.ts';
import type { PayoutRequest, PayoutRules } from '../definition.ts';
import {
  accountSchema,
  amount,
  exactly,
  ignored,
  knownText,
  matching,
  merchantOrderNo,
  name,
  notifyUrl,
  ownObjectWith,
  readBy,
  text,
  textOf,
} from '../fields.ts';
import { viewOf } from '../view.ts';

// India. Contract "Create payout: IN"; decisions 4, 5.7, 5.8, 7.1.

const ifsc = matching(
  11,
  /^[A-Z]{4}0[A-Z0-9]{6}$/,
  'must be an IFSC: 4 upper-case letters, 0, 6 upper-case letters or digits',
).describe("The branch's code, e.g. `HDFC0001234`.");

const schema = z
  .object({
    merchantOrderNo,
    countryCode: exactly('IN'),
    currency: exactly('INR'),
    amount,
    receiverName: name,
    receiverAccount: matching(34, accountSchema, 'must be 6 to 34 letters or digits').describe(
      '6 to 34 letters or digits.',
    ),
    receiverPhone: text(32).optional(),
    receiverBankCode: ignored,
    notifyUrl: notifyUrl.optional(),
    remark: text(255).optional(),
    metadata: ownObjectWith({ ifsc, recipientEmail: knownText, recipientContact: knownText }).prefault({}),
  })
  .transform(
    (body): PayoutRequest => ({
      merchantOrderNo: body.merchantOrderNo,
      amount: body.amount,
      bankCode: null,
      notifyUrl: body.notifyUrl ?? null,
      details: omitUndefined({
        party: omitUndefined({
          name: body.receiverName,
          account: body.receiverAccount,
          mobile: body.receiverPhone,
          email: textOf(body.metadata, 'recipientEmail'),
          ifsc: textOf(body.metadata, 'ifsc'),
        }),
        remark: body.remark,
        extra: body.metadata,
      }),
    }),
  );

const paidOut = [
  'orderNo',
  'merchantOrderNo',
  'amount',
  'feeAmount',
  'netAmount',
  'status',
  'payoutMethod',
  'fulfillmentMode',
  'createdAt',
] as const;

const example = {
  merchantOrderNo: 'M-20001',
  countryCode: 'IN',
  currency: 'INR',
  amount: '100.00',
  notifyUrl: 'https://shop.example/notify',
  receiverName: 'Asha Rao',
  receiverAccount: '50100012345678',
  receiverPhone: '9876543210',
  metadata: { ifsc: 'HDFC0001234' },
};

/** All transitions of a payout (decisions 5.2 and 5.3). */
// biome-ignore format: a table is read by its columns
const transitions: readonly TransitionRow[] = [
  { from: ['new'], trigger: 'created', to: 'created' },
  { from: ['created'], trigger: 'begun', to: 'processing' },
  { from: ['created', 'processing'], trigger: 'paid', to: 'completed' },
  { from: ['created', 'processing'], trigger: 'channel_refused', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_failed', to: 'failed' },
  { from: ['processing'], trigger: 'unpaid', to: 'timeout' },
  { from: ['created', 'processing'], trigger: 'operator_cancelled', to: 'cancelled' },
];

export const payout: PayoutRules = {
  notifications: { statuses: ['completed', 'failed', 'timeout'], extraFields: [] },
  mappingRequired: false,
  paths: { name: 'receiverName', account: 'receiverAccount', ifsc: 'metadata.ifsc', amount: 'amount' },
  ...readBy(schema),
  createView: viewOf(paidOut),
  queryView: viewOf([...paidOut, 'completedAt', 'failureReason']),
  transitions,
  example,
};
