import * as z from 'zod';
import { amount, bankCode, email, forbidden, ignored, matching, merchantOrderNo, name, notifyUrl, ownObject, present, read, text } from './fields.ts';
import type { CountryRules, ParseOptions, PayinRequest } from './rules.ts';
import { viewOf } from './view.ts';

// Pakistan. Interface document, "Create payin: PK"; decisions 4, 5.7, 5.8, 7.1.

const mobile = matching(/^03[0-9]{9}$/, 'must be 11 digits starting with 03');

const request = (options: ParseOptions) => {
  const deprecated = options.acceptDeprecatedFields ? ignored : forbidden;
  return z
    .object({
      merchantOrderNo,
      amount,
      countryCode: deprecated,
      currency: deprecated,
      metadata: deprecated,
      bankCode: bankCode.optional(),
      notifyUrl: notifyUrl(options.notifyNetworks).optional(),
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
        details: present({
          party: present({ name: body.payer_realname, mobile: body.payer_mobile, email: body.payer_email, idNo: body.payer_id_no }),
          remark: body.remark,
          extra: body.extJson,
        }),
      }),
    );
};

const created = ['orderNo', 'merchantOrderNo', 'amount', 'feeAmount', 'netAmount', 'status', 'payUrl', 'payQr', 'createdAt'] as const;

export const pk: CountryRules = {
  payin: {
    submittedBy: 'request',
    defaultNotifyUrl: false,
    notifications: { statuses: ['completed'], extraFields: [] },
    parse: (value, options) => read(request(options), value),
    createView: viewOf(created),
    queryView: viewOf([...created, 'completedAt', 'failureReason']),
  },
  payout: { notifications: { statuses: ['completed'], extraFields: [] } },
};
