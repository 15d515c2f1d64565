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

// China. Interface document, "Create payin: CN"; decisions 4, 5.7, 5.8, 7.1.

const request = formFor((options) =>
  z
    .object({
      merchantOrderNo,
      countryCode: exactly('CN'),
      currency: exactly('CNY'),
      amount,
      notifyUrl: notifyUrl(options.notifyNetworks).optional(),
      metadata: ownObjectWith({ returnUrl: knownText, payerName: knownText, payerMobile: knownText }).optional(),
    })
    .transform(
      (body): PayinRequest => ({
        merchantOrderNo: body.merchantOrderNo,
        amount: body.amount,
        bankCode: null,
        notifyUrl: body.notifyUrl ?? null,
        details: present({
          party: present({ name: textOf(body.metadata, 'payerName'), mobile: textOf(body.metadata, 'payerMobile') }),
          returnUrl: textOf(body.metadata, 'returnUrl'),
          extra: body.metadata,
        }),
      }),
    ),
);

const created = ['orderNo', 'merchantOrderNo', 'amount', 'feeAmount', 'netAmount', 'status', 'createdAt'] as const;

const example = {
  ...{ merchantOrderNo: 'M-10001', countryCode: 'CN', currency: 'CNY', amount: '88.00' },
  notifyUrl: 'https://shop.example/notify',
  metadata: { payerName: 'Li Wei', returnUrl: 'https://shop.example/thanks' },
};

export const payin: PayinRules = {
  submittedBy: 'worker',
  defaultNotifyUrl: false,
  notifications: { statuses: ['completed', 'failed', 'cancelled'], extraFields: ['currency', 'countryCode'] },
  form: request,
  parse: (value, options) => read(request(options), value),
  createView: viewOf(created),
  queryView: viewOf([...created, 'completedAt', 'failureReason']),
  example,
};
