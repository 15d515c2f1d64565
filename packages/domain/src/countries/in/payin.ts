import * as z from 'zod';
import type { PayinRequest, PayinRules } from '../definition.ts';
import {
  amount,
  exactly,
  formFor,
  knownText,
  merchantOrderNo,
  notifyUrl,
  ownObjectWith,
  present,
  read,
  textOf,
} from '../fields.ts';
import { viewOf } from '../view.ts';

// India. Interface document, "Create payin: IN"; decisions 4, 5.7, 5.8, 7.1.

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
  ...{ merchantOrderNo: 'M-10003', countryCode: 'IN', currency: 'INR', amount: '500.00' },
  notifyUrl: 'https://shop.example/notify',
  metadata: { payerName: 'Asha Rao', payerMobile: '9876543210', returnUrl: 'https://shop.example/thanks' },
};

export const payin: PayinRules = {
  submittedBy: 'request',
  defaultNotifyUrl: false,
  notifications: { statuses: ['completed', 'failed', 'timeout', 'cancelled'], extraFields: [] },
  form: request,
  parse: (value, options) => read(request(options), value),
  createView: viewOf(created),
  queryView: viewOf([...created, 'completedAt', 'failureReason']),
  example,
};
