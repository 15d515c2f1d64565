import * as z from 'zod';
import type { PayinRequest, PayinRules } from '../definition.ts';
import {
  amount,
  bankCode,
  email,
  forbidden,
  formFor,
  ignored,
  matching,
  merchantOrderNo,
  name,
  notifyUrl,
  ownObject,
  present,
  read,
  text,
} from '../fields.ts';
import { viewOf } from '../view.ts';
import { mobileForm } from './payee.ts';

// Pakistan. Interface document, "Create payin: PK"; decisions 4, 5.7, 5.8, 7.1.

const mobile = matching(mobileForm, 'must be 11 digits starting with 03');

const request = formFor((options) => {
  const deprecated = options.acceptDeprecatedFields ? ignored : forbidden;
  return z
    .object({
      merchantOrderNo,
      amount,
      countryCode: deprecated,
      currency: deprecated,
      metadata: deprecated,
      bankCode: bankCode.optional(),
      bankName: ignored,
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
          party: present({
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
});

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
  ...{ merchantOrderNo: 'M-10004', amount: '1500.00', bankCode: 'JAZZCASH' },
  notifyUrl: 'https://shop.example/notify',
  ...{ payer_mobile: '03001234567', payer_realname: 'Ali Khan', payer_email: 'ali.khan@example.com' },
};

export const payin: PayinRules = {
  submittedBy: 'request',
  defaultNotifyUrl: false,
  notifications: { statuses: ['completed'], extraFields: [] },
  form: request,
  parse: (value, options) => read(request(options), value),
  createView: viewOf(created, { createdAt: 'iso8601' }),
  queryView: viewOf([...created, 'completedAt', 'failureReason'], { createdAt: 'iso8601' }),
  example,
};
