import * as z from 'zod';
import { amount, exactly, merchantOrderNo, notifyUrl, ownObjectWith, present, read, textOf } from './fields.ts';
import type { CountryRules, ParseOptions, PayinRequest } from './rules.ts';
import { viewOf } from './view.ts';

// India. Interface document, "Create payin: IN"; decisions 4, 5.8, 7.1.

const request = (options: ParseOptions) =>
  z
    .object({
      merchantOrderNo,
      countryCode: exactly('IN'),
      currency: exactly('INR'),
      amount,
      notifyUrl: notifyUrl(options.notifyNetworks),
      metadata: ownObjectWith(['returnUrl', 'payerName', 'payerMobile']).optional(),
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
    );

const created = ['orderNo', 'merchantOrderNo', 'amount', 'feeAmount', 'netAmount', 'status', 'payUrl', 'createdAt'] as const;

export const india: CountryRules = {
  payin: {
    submittedBy: 'request',
    defaultNotifyUrl: false,
    notifications: { statuses: ['completed', 'failed', 'timeout', 'cancelled'], extraFields: [] },
    parse: (value, options) => read(request(options), value),
    createView: viewOf(created),
    queryView: viewOf([...created, 'completedAt', 'failureReason']),
  },
  payout: { notifications: { statuses: ['completed', 'failed', 'timeout'], extraFields: [] } },
};
