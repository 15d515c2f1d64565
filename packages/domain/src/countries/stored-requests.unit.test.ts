import { readBody } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { networks } from '../core/address.ts';
import type { Country } from '../core/country.ts';
import type { OrderKind } from '../core/order.ts';
import { countryRules } from './index.ts';

// The stored form of a request, field by field: everything that was sent, under the same names in all countries.

type Body = { [field: string]: unknown };

function stored(country: Country, kind: OrderKind, body: Body): unknown {
  const { value } = readBody(Buffer.from(JSON.stringify(body)));
  const options = { acceptDeprecatedFields: true, notifyNetworks: networks([]) };
  const parsed = countryRules[country][kind]?.parse(value, options);
  return parsed?.ok ? parsed.request : parsed;
}

const notifyUrl = 'https://shop.test/n';
const order = { merchantOrderNo: 'M-1', amount: '10' };
const kept = { merchantOrderNo: 'M-1', amount: '10.00' };
const payer = { payerName: 'A', payerMobile: '9', returnUrl: 'https://shop.test/back', own: 'x' };
const paid = { party: { name: 'A', mobile: '9' }, returnUrl: 'https://shop.test/back', extra: payer };
const person = { payer_realname: 'B', payer_mobile: '03001234567', payer_email: 'b@c.de', payer_id_no: '7' };
const who = { name: 'B', mobile: '03001234567', email: 'b@c.de', idNo: '7' };
const china = { ...order, countryCode: 'CN', currency: 'CNY' };
const india = { ...order, countryCode: 'IN', currency: 'INR' };
const toIndia = { ...india, receiverName: 'C', receiverAccount: '123456' };
const ifsc = 'HDFC0AB1234';
const toPakistan = { ...order, bankCode: 'HBL', payee_realname: 'D', payee_account: 'PK36SCBL0000001123456702' };

test.each<[string, Country, OrderKind, Body, object]>([
  [
    'all fields',
    'CN',
    'payin',
    { ...china, notifyUrl, metadata: payer },
    { ...kept, bankCode: null, notifyUrl, details: paid },
  ],
  ['the least', 'CN', 'payin', china, { ...kept, bankCode: null, notifyUrl: null, details: { party: {} } }],
  [
    'all fields',
    'IN',
    'payin',
    { ...india, notifyUrl, metadata: payer },
    { ...kept, bankCode: null, notifyUrl, details: paid },
  ],
  ['the least', 'IN', 'payin', { ...india, notifyUrl }, { ...kept, bankCode: null, notifyUrl, details: { party: {} } }],
  [
    'all fields',
    'TH',
    'payin',
    { ...order, bankCode: 'QR', notifyUrl, ...person, remark: 'r', extJson: { accountNo: '001', own: 'x' } },
    {
      ...kept,
      bankCode: 'QR',
      notifyUrl,
      details: { party: { ...who, account: '001' }, remark: 'r', extra: { accountNo: '001', own: 'x' } },
    },
  ],
  [
    'the least',
    'TH',
    'payin',
    { ...order, bankCode: 'QR', extJson: { accountNo: '001' } },
    { ...kept, bankCode: 'QR', notifyUrl: null, details: { party: { account: '001' }, extra: { accountNo: '001' } } },
  ],
  [
    'all fields',
    'PK',
    'payin',
    { ...order, bankCode: 'JAZZCASH', notifyUrl, ...person, remark: 'r', extJson: { own: 'x' } },
    { ...kept, bankCode: 'JAZZCASH', notifyUrl, details: { party: who, remark: 'r', extra: { own: 'x' } } },
  ],
  [
    'the least',
    'PK',
    'payin',
    { ...order, payer_mobile: '03001234567' },
    { ...kept, bankCode: null, notifyUrl: null, details: { party: { mobile: '03001234567' } } },
  ],
  [
    'all fields',
    'IN',
    'payout',
    {
      ...toIndia,
      notifyUrl,
      remark: 'r',
      receiverPhone: '98',
      metadata: { ifsc, recipientEmail: 'c@d.ef', recipientContact: 'C', own: 'x' },
    },
    {
      ...kept,
      bankCode: null,
      notifyUrl,
      details: {
        party: { name: 'C', account: '123456', mobile: '98', email: 'c@d.ef', ifsc },
        remark: 'r',
        extra: { ifsc, recipientEmail: 'c@d.ef', recipientContact: 'C', own: 'x' },
      },
    },
  ],
  [
    'the least',
    'IN',
    'payout',
    { ...toIndia, metadata: { ifsc } },
    {
      ...kept,
      bankCode: null,
      notifyUrl: null,
      details: { party: { name: 'C', account: '123456', ifsc }, extra: { ifsc } },
    },
  ],
  [
    'all fields',
    'PK',
    'payout',
    {
      ...toPakistan,
      notifyUrl,
      remark: 'r',
      payee_mobile: '03001234567',
      payee_email: 'd@e.fg',
      payee_id_no: '7',
      extJson: { own: 'x' },
    },
    {
      ...kept,
      bankCode: 'HBL',
      notifyUrl,
      details: {
        party: { name: 'D', account: 'PK36SCBL0000001123456702', mobile: '03001234567', email: 'd@e.fg', idNo: '7' },
        remark: 'r',
        extra: { own: 'x' },
      },
    },
  ],
  [
    'the least',
    'PK',
    'payout',
    toPakistan,
    {
      ...kept,
      bankCode: 'HBL',
      notifyUrl: null,
      details: { party: { name: 'D', account: 'PK36SCBL0000001123456702' } },
    },
  ],
])('the stored request with %s of a %s %s', (_, country, kind, body, expected) => {
  expect(stored(country, kind, body)).toStrictEqual(expected);
});

test.each(['JAZZCASH', 'EASYPAISA'])(
  'a payout to the wallet %s goes to the mobile number, whatever the account',
  (bankCode) => {
    const body = { ...toPakistan, bankCode, payee_mobile: '03001234567' };
    expect(stored('PK', 'payout', body)).toMatchObject({ details: { party: { account: '03001234567' } } });
  },
);
