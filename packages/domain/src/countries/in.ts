import * as z from 'zod';
import {
  amount,
  exactly,
  formFor,
  ignored,
  knownText,
  matching,
  merchantOrderNo,
  name,
  notifyUrl,
  ownObjectWith,
  present,
  read,
  text,
  textOf,
} from './fields.ts';
import { accountForm } from './payee.ts';
import type { CountryRules, PayinRequest, PayoutRequest } from './rules.ts';
import { viewOf } from './view.ts';

// India. Interface document, "Create payin: IN", "Create payout: IN"; decisions 4, 5.8, 7.1.

const request = formFor((options) =>
  z
    .object({
      merchantOrderNo,
      countryCode: exactly('IN'),
      currency: exactly('INR'),
      amount,
      notifyUrl: notifyUrl(options.notifyNetworks),
      metadata: ownObjectWith({ returnUrl: knownText, payerName: knownText, payerMobile: knownText }).optional(),
    })
    .transform(
      (body): PayinRequest => ({
        merchantOrderNo: body.merchantOrderNo,
        amount: body.amount,
        bankCode: null,
        notifyUrl: body.notifyUrl,
        details: present({
          party: present({ name: textOf(body.metadata, 'payerName'), mobile: textOf(body.metadata, 'payerMobile') }),
          returnUrl: textOf(body.metadata, 'returnUrl'),
          extra: body.metadata,
        }),
      }),
    ),
);

const payoutRequest = formFor((options) =>
  z
    .object({
      merchantOrderNo,
      countryCode: exactly('IN'),
      currency: exactly('INR'),
      amount,
      receiverName: name,
      receiverAccount: matching(accountForm, 'must be 6 to 34 letters or digits'),
      receiverPhone: text(32).optional(),
      receiverBankCode: ignored,
      notifyUrl: notifyUrl(options.notifyNetworks).optional(),
      remark: text(255).optional(),
      metadata: ownObjectWith({ ifsc, recipientEmail: knownText, recipientContact: knownText }).prefault({}),
    })
    .transform(
      (body): PayoutRequest => ({
        merchantOrderNo: body.merchantOrderNo,
        amount: body.amount,
        bankCode: null,
        notifyUrl: body.notifyUrl ?? null,
        details: present({
          party: present({
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
    ),
);

const ifsc = matching(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'must be an IFSC: 4 capital letters, 0, 6 capital letters or digits');

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

export const india: CountryRules = {
  payin: {
    submittedBy: 'request',
    defaultNotifyUrl: false,
    notifications: { statuses: ['completed', 'failed', 'timeout', 'cancelled'], extraFields: [] },
    form: request,
    parse: (value, options) => read(request(options), value),
    createView: viewOf(created),
    queryView: viewOf([...created, 'completedAt', 'failureReason']),
  },
  payout: {
    notifications: { statuses: ['completed', 'failed', 'timeout'], extraFields: [] },
    mappingRequired: false,
    form: payoutRequest,
    parse: (value, options) => read(payoutRequest(options), value),
    createView: viewOf(paidOut),
    queryView: viewOf([...paidOut, 'completedAt', 'failureReason']),
  },
};
