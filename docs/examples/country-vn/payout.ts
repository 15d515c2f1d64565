// Copy to packages/domain/src/countries/vn/ (docs/developers/add-a-country.md): imports are relative to there.
import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TransitionRow } from '../../core/transitions.ts';
import type { PayoutRequest, PayoutRules } from '../definition.ts';
import { accountSchema, amount, bankCode, matching, merchantOrderNo, name, notifyUrl, readBy } from '../fields.ts';
import { viewOf } from '../view.ts';

const schema = z
  .object({
    merchantOrderNo,
    amount,
    bankCode,
    payeeName: name,
    payeeAccount: matching(34, accountSchema, 'must be 6 to 34 letters or digits'),
    notifyUrl: notifyUrl.optional(),
  })
  .transform(
    (body): PayoutRequest => ({
      merchantOrderNo: body.merchantOrderNo,
      amount: body.amount,
      bankCode: body.bankCode,
      notifyUrl: body.notifyUrl ?? null,
      details: omitUndefined({ party: { name: body.payeeName, account: body.payeeAccount } }),
    }),
  );

const fields = [
  ...(['orderNo', 'merchantOrderNo', 'amount', 'feeAmount', 'netAmount'] as const),
  ...(['status', 'createdAt'] as const),
];

/** All transitions of a payout. */
// biome-ignore format: a table is read by its columns
const transitions: readonly TransitionRow[] = [
  { from: ['new'], trigger: 'created', to: 'created' },
  { from: ['created'], trigger: 'channel_accepted', to: 'processing' },
  { from: ['created', 'processing'], trigger: 'paid', to: 'completed' },
  { from: ['created', 'processing'], trigger: 'channel_refused', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_failed', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'unpaid', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'operator_cancelled', to: 'cancelled' },
];

export const payout: PayoutRules = {
  notifications: { statuses: ['completed', 'failed'], extraFields: [] },
  mappingRequired: true,
  ...readBy(schema),
  createView: viewOf(fields),
  queryView: viewOf([...fields, 'completedAt', 'failureReason']),
  transitions,
  example: {
    merchantOrderNo: 'M-20003',
    amount: '120000.00',
    bankCode: 'VCB',
    payeeName: 'Tran Thi Binh',
    payeeAccount: '0123456789',
  },
};
