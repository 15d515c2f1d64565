import {
  type Country,
  countryDefinitions,
  countryRules,
  currencyOf,
  type OrderKind,
  transitionRules,
} from '@tidegate/domain';
import { mapBank } from '@tidegate/domain/admin';
import { aFundedMerchant, aMerchant } from '@tidegate/domain/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Merchant, type PayoutFixture, startPayoutFixture } from '../../../test/payout-fixture.ts';
import type { Envelope } from '../../../test/rest-fixture.ts';
import { statusesOf } from '../../v1/answer-schemas.ts';
import { openApiDocument } from './document.ts';
import { orderName } from './request-schemas.ts';
import { notificationName } from './webhooks.ts';

// Compares the document with the service: its examples are signed and sent, and every answer matches the documented
// schema.

const cases = (['payin', 'payout'] as const).flatMap((kind) =>
  countryDefinitions.flatMap((definition) => {
    const body = definition[kind]?.example;
    return body === undefined ? [] : [{ kind, country: definition.code, body }];
  }),
);

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await startPayoutFixture();
  await mapBank(fixture.real.domain, {
    channelId: 'fake',
    kind: 'payout',
    bankCode: 'JAZZCASH',
    channelBankCode: 'X-JC',
  });
});
afterAll(() => fixture.close());

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema(openApiDocument(), 'tidegate');

/**
 * The errors of a value against the schema at this place of the document. A field that is not documented is an error
 * too.
 */
function problemsOf(pointer: string, value: unknown): string[] {
  const validate = ajv.getSchema(`tidegate#${pointer}`);
  if (!validate) throw new Error(`the document has nothing at ${pointer}`);
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

const schemaAt = (path: string, method: string, place: string) =>
  `/paths/${`/api/v1/merchant${path}`.replaceAll('/', '~1')}/${method}/${place}`;
const jsonOf = (status: number) => `responses/${status}/content/application~1json/schema`;

const asDocumented = (path: string, method: string, { response, code, msg, data }: { response: Response } & Envelope) =>
  expect(problemsOf(schemaAt(path, method, jsonOf(response.status)), { code, msg, data })).toEqual([]);

interface DocumentWithSchemas {
  components: { schemas: Record<string, { properties: object }> };
}
const { components } = openApiDocument() as unknown as DocumentWithSchemas;

/** The data matches its country's schema, without fields that are not documented. */
function isOrder(name: string, data: Envelope['data']): void {
  expect(problemsOf(`/components/schemas/${name}`, data)).toEqual([]);
  const known = Object.keys(components.schemas[name]?.properties ?? {});
  expect(Object.keys(data ?? {}).filter((field) => !known.includes(field))).toEqual([]);
}

const aMerchantOf = (kind: OrderKind, country: Country): Promise<Merchant> =>
  kind === 'payout' && (country === 'IN' || country === 'PK')
    ? aFundedMerchant(fixture.real.domain, country)
    : aMerchant(fixture.real.domain, country);

async function complete(kind: OrderKind, country: Country, orderNo: string, amount: string, origin: string) {
  const answer = { outcome: 'paid', payments: [{ reference: `P-${orderNo}`, amount }] };
  const body = JSON.stringify({ kind, orderNo, currency: currencyOf[country], answer });
  const { status } = await fetch(new URL('/upstream/fake/callback', origin), { method: 'POST', body });
  expect(status).toBe(200);
}

test.each(cases)(
  '$country $kind: the example request succeeds, and each answer fits the document',
  async ({ kind, country, body }) => {
    const merchant = await aMerchantOf(kind, country);
    const path = `/${kind}/create`;
    expect(problemsOf(schemaAt(path, 'post', 'requestBody/content/application~1json/schema'), body)).toEqual([]);
    const created = await fixture.post(merchant, path, body);
    expect(created).toMatchObject({ code: 0 });
    asDocumented(path, 'post', created);
    isOrder(orderName(kind, 'created', country), created.data);

    const orderNo = String(created.data?.orderNo);
    await complete(kind, country, orderNo, String(created.data?.amount), created.response.url);
    const found = await fixture.get(merchant, `/${kind}/query`, `orderNo=${orderNo}`);
    expect(found.data).toMatchObject({ status: 'completed', completedAt: expect.any(Number) });
    asDocumented(`/${kind}/query`, 'get', found);
    isOrder(orderName(kind, 'found', country), found.data);

    const { rows } = await fixture.real.domain.database.pool.query(
      'select body from notification where order_no = $1',
      [orderNo],
    );
    expect(rows).toHaveLength(1);
    const notification = JSON.parse(rows[0].body);
    const place = `/webhooks/${kind}${country}/post/requestBody/content/application~1json/schema`;
    expect(problemsOf(place, notification)).toEqual([]);
    isOrder(notificationName(kind, country), notification);

    const again = await fixture.post(merchant, path, body);
    expect(again).toMatchObject({ code: 40901 });
    asDocumented(path, 'post', again);
  },
);

test.each(cases)(
  '$country $kind: without a required field both the document and the service refuse it',
  async ({ kind, country, body }) => {
    const merchant = await aMerchantOf(kind, country);
    const name = `Create${kind === 'payin' ? 'Payin' : 'Payout'}${country}`;
    const optional = [];
    for (const field of Object.keys(body)) {
      const { [field]: _, ...rest } = { ...body, merchantOrderNo: `M-${field}` } as Record<string, unknown>;
      const documented = problemsOf(`/components/schemas/${name}`, rest).length === 0;
      const { code } = await fixture.post(merchant, `/${kind}/create`, rest);
      expect([field, code]).toEqual([field, documented ? 0 : 40001]);
      if (documented) optional.push(field);
    }
    expect(optional.length).toBeLessThan(Object.keys(body).length - 2);
  },
);

test.each<[Country, object]>([
  ['CN', { amount: '0.001' }],
  ['CN', { amount: true }],
  ['CN', { currency: 'THB' }],
  ['CN', { notifyUrl: 'ftp://shop.example/' }],
  ['CN', { metadata: 'text' }],
  ['CN', { metadata: { returnUrl: 5 } }],
  ['TH', { bankCode: 'SCB' }],
  ['TH', { payer_email: 'nobody' }],
  ['TH', { remark: 'x'.repeat(256) }],
  ['TH', { extJson: { other: '1' } }],
  ['IN', { merchantOrderNo: 'with blank' }],
  ['PK', { payer_mobile: '923001234567' }],
  ['PK', { countryCode: 'PK' }],
  ['PK', { bankCode: 'jazzcash' }],
])('%s: %j is refused by the document and by the service', async (country, change) => {
  const merchant = await aMerchant(fixture.real.domain, country);
  const body = { ...countryRules[country].payin.example, ...change };
  expect(problemsOf(`/components/schemas/CreatePayin${country}`, body)).not.toEqual([]);
  const answer = await fixture.post(merchant, '/payin/create', body);
  expect(answer).toMatchObject({ code: 40001 });
  asDocumented('/payin/create', 'post', answer);
});

test('the answers about a wallet and its transactions fit the document', async () => {
  const merchant = await aFundedMerchant(fixture.real.domain, 'IN');
  await fixture.post(merchant, '/payout/create', countryRules.IN.payout?.example ?? {});
  const wallet = await fixture.get(merchant, '/wallet');
  asDocumented('/wallet', 'get', wallet);
  isOrder('Wallet', wallet.data);
  const page = await fixture.get(merchant, '/wallet/transactions', 'page=1&pageSize=2');
  asDocumented('/wallet/transactions', 'get', page);
  const { list } = page.data as { list: Record<string, unknown>[] };
  expect(list.map(({ type }) => type)).toEqual(['PAYOUT_FREEZE', 'TOP_UP']);
  for (const entry of list) isOrder('WalletTransaction', entry);
});

test('in the sandbox a refused signature returns the text that the service derived, as documented', async () => {
  const [merchant, other] = [await aMerchant(fixture.real.domain, 'CN'), await aMerchant(fixture.real.domain, 'CN')];
  const answer = await fixture.get({ ...merchant, privateKeyPem: other.privateKeyPem }, '/wallet');
  expect(answer).toMatchObject({ code: 40101, data: { signedContent: expect.any(String) } });
  asDocumented('/wallet', 'get', answer);
});

test('the statuses of an order are those of the contract', () => {
  expect(transitionRules.length).toBeGreaterThan(0);
  expect(statusesOf('payin', 'TH').toSorted()).toEqual(
    ['cancelled', 'completed', 'created', 'failed', 'partial_paid', 'processing', 'timeout'].toSorted(),
  );
  expect(statusesOf('payout', 'PK')).not.toContain('timeout');
});
