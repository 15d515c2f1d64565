import { readBody } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { networks } from '../core/address.ts';
import type { OrderKind } from '../core/order.ts';
import { isTimeZone } from '../core/zone-time.ts';
import { countryDefinitions, orderRules, transitionRules } from './index.ts';

// Rules that every country has to keep. A new country is tested here without a new line.

const options = { acceptDeprecatedFields: false, notifyNetworks: networks([]) };
const read = (value: object) => readBody(Buffer.from(JSON.stringify(value))).value;
const kinds: readonly OrderKind[] = ['payin', 'payout'];
const offers = countryDefinitions.flatMap((country) =>
  kinds.flatMap((kind) => {
    const rules = country[kind];
    return rules ? [{ title: `${country.code} ${kind}`, country, kind, rules }] : [];
  }),
);

test.each(offers)('$title: the example in the API reference is accepted', ({ rules }) => {
  expect(rules.parse(read(rules.example), options)).toMatchObject({ ok: true });
});

test.each(offers)('$title: the request of the demo is accepted', ({ country, kind, rules }) => {
  const { demo } = country;
  const sent = kind === 'payin' ? demo.payin('https://shop.example/notify') : { amount: '1', ...demo.payout };
  expect(rules.parse(read({ merchantOrderNo: 'M-1', ...sent }), options)).toMatchObject({ ok: true });
});

test.each(offers)(
  '$title: an order can begin, be paid and fail, and the payment is notified',
  ({ country, kind, rules }) => {
    const reached = transitionRules
      .filter((rule) => rule.kind === kind && rule.country === country.code)
      .map(({ to }) => to);
    expect(reached).toEqual(expect.arrayContaining(['created', 'completed', 'failed']));
    expect(rules.notifications.statuses).toContain('completed');
    expect(reached).toEqual(expect.arrayContaining([...rules.notifications.statuses]));
  },
);

test('every country has a time zone that exists', () => {
  expect(countryDefinitions.filter(({ timeZone }) => !isTimeZone(timeZone))).toEqual([]);
});

test('codes, currencies, languages and merchant numbers of the demo are unique', () => {
  const merchants = countryDefinitions.flatMap(({ demo }) => demo.merchants.map(({ merchantNo }) => merchantNo));
  const lists = [
    countryDefinitions.map(({ code }) => code),
    countryDefinitions.map(({ currency }) => currency),
    countryDefinitions.map(({ checkout }) => checkout.language),
    merchants,
  ];
  for (const list of lists) expect(new Set(list).size).toBe(list.length);
});

test.each(countryDefinitions)(
  '$code: the checkout page has every text, with the placeholders for name and amount',
  ({ checkout }) => {
    const { states, asking, sentences, pay, back } = checkout.words;
    expect(pay).toContain('{name}');
    expect(back).toContain('{name}');
    expect(states.part_paid.advice).toContain('{amount}');
    const { do_not_pay: _, ask_merchant: askMerchant, ...ofAmounts } = sentences;
    for (const sentence of Object.values(ofAmounts)) expect(sentence).toContain('{amount}');
    expect(askMerchant).toContain('{name}');
    expect([...Object.values(asking), ...Object.values(sentences)]).not.toContain('');
    for (const { title, advice } of Object.values(states)) expect([title, advice]).not.toContain('');
  },
);

test('a country without payouts has no payout notifications', () => {
  expect(orderRules.notificationRule('payout', 'CN')).toEqual({ statuses: [], extraFields: [] });
  expect(orderRules.notificationRule('payin', 'CN')).toBe(countryDefinitions[0]?.payin.notifications);
});
