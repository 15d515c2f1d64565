import type { JsonObject } from '@tidegate/signature';
import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { TransitionRow } from '../../core/transitions.ts';
import type { Parsed, PayoutRequest, PayoutRules } from '../definition.ts';
import {
  amount,
  bankCode,
  email,
  forbidden,
  ignored,
  merchantOrderNo,
  name,
  notifyUrl,
  ownObject,
  readBy,
  text,
  textOf,
} from '../fields.ts';
import { viewOf } from '../view.ts';
import { payeeAccount } from './payee.ts';

// Pakistan. Contract "Create payout: PK"; decisions 4, 5.7, 5.8, 7.1.

const schemaWith = (deprecated: typeof ignored | typeof forbidden) =>
  z
    .object({
      merchantOrderNo,
      amount,
      bankCode,
      bankName: ignored,
      countryCode: deprecated,
      currency: deprecated,
      metadata: deprecated,
      receiverName: deprecated,
      receiverAccount: deprecated,
      receiverBankCode: deprecated,
      receiverBankName: deprecated,
      receiverPhone: deprecated,
      payee_realname: name,
      payee_account: text(34).describe(
        'Where the money goes. For `JAZZCASH` and `EASYPAISA` `payee_mobile` comes first.',
      ),
      payee_mobile: text(32).describe('Where the money goes for `JAZZCASH` and `EASYPAISA`.').optional(),
      payee_email: email.optional(),
      payee_id_no: text(64).optional(),
      notifyUrl: notifyUrl.optional(),
      remark: text(255).optional(),
      extJson: ownObject.optional(),
    })
    .transform((body): PayoutRequest => {
      const payee = payeeAccount(body.bankCode, { account: body.payee_account, mobile: body.payee_mobile });
      const { payee_realname, payee_mobile, payee_email, payee_id_no } = body;
      const party = omitUndefined({
        name: payee_realname,
        account: 'account' in payee ? payee.account : undefined,
        mobile: payee_mobile,
        email: payee_email,
        idNo: payee_id_no,
      });
      return {
        merchantOrderNo: body.merchantOrderNo,
        amount: body.amount,
        bankCode: body.bankCode,
        notifyUrl: body.notifyUrl ?? null,
        details: omitUndefined({ party, remark: body.remark, extra: body.extJson }),
      };
    });

const reader = readBy(schemaWith(forbidden), schemaWith(ignored));

const paidOut = [
  'orderNo',
  'merchantOrderNo',
  'amount',
  'feeAmount',
  'netAmount',
  'payoutTaskId',
  'status',
  'createdAt',
] as const;

const example = {
  merchantOrderNo: 'M-20002',
  amount: '300.00',
  bankCode: 'JAZZCASH',
  notifyUrl: 'https://shop.example/notify',
  payee_realname: 'Ali Khan',
  payee_account: '03001234567',
  payee_mobile: '03001234567',
};

/** All transitions of a payout (decisions 5.2 and 5.3). */
// biome-ignore format: a table is read by its columns
const transitions: readonly TransitionRow[] = [
  { from: ['new'], trigger: 'created', to: 'created' },
  { from: ['created'], trigger: 'channel_accepted', to: 'processing' },
  { from: ['created'], trigger: 'task_listed', to: 'market_available' },
  { from: ['market_available'], trigger: 'task_claimed', to: 'processing' },
  { from: ['processing'], trigger: 'claim_ended', to: 'market_available' },
  { from: ['created', 'processing'], trigger: 'proof_accepted', to: 'completed' },
  // On the task market: what was paid under an earlier claim settled it, as two operators saw.
  { from: ['created', 'market_available', 'processing'], trigger: 'paid', to: 'completed' },
  { from: ['created', 'processing'], trigger: 'channel_refused', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'channel_failed', to: 'failed' },
  { from: ['created', 'processing'], trigger: 'unpaid', to: 'failed' },
  { from: ['created', 'market_available', 'processing'], trigger: 'operator_cancelled', to: 'cancelled' },
];

export const payout: PayoutRules = {
  notifications: { statuses: ['completed'], extraFields: [] },
  mappingRequired: true,
  paths: { name: 'payee_realname', account: 'payee_account', ifsc: 'bankCode', amount: 'amount' },
  schema: reader.schema,
  parse: (value, options) => withPayee(value, reader.parse(value, options)),
  createView: viewOf(paidOut, { createdAt: 'iso8601' }),
  queryView: viewOf([...paidOut, 'completedAt', 'failureReason'], { createdAt: 'iso8601' }),
  transitions,
  example,
};

/**
 * Checks the payee for the kind of its bank, next to all other problems, so that all bad fields are reported at once.
 * It reads the original fields: a field of a wrong form is already reported, and without a valid bank code the kind is
 * unknown.
 */
function withPayee(value: JsonObject, parsed: Parsed<PayoutRequest>): Parsed<PayoutRequest> {
  const named = parsed.ok ? [] : parsed.problems;
  const isGood = (field: string): boolean => !named.some((problem) => problem.path === field);
  const code = textOf(value, 'bankCode');
  if (code === undefined || !isGood('bankCode')) return parsed;
  const account = textOf(value, 'payee_account') ?? '';
  const sentMobile = value.payee_mobile === undefined ? undefined : (textOf(value, 'payee_mobile') ?? '');
  const payee = payeeAccount(code, { account, mobile: sentMobile });
  if ('account' in payee || !isGood(payee.path)) return parsed;
  return { ok: false, problems: [...named, payee] };
}
