import fc from 'fast-check';
import Razorpay from 'razorpay';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signWebhook, verifyWebhook } from './signing.ts';
import { type Fixture, openFixture } from './testing/open-fixture.ts';

interface SdkLink {
  id: string;
  status: string;
  short_url: string;
}
/** What of the SDK is used. Its own types demand optional fields, and its address cannot be set. */
interface Sdk {
  paymentLink: {
    create(body: object): Promise<SdkLink>;
    fetch(id: string): Promise<SdkLink>;
    cancel(id: string): Promise<SdkLink>;
  };
  api: { rq: { defaults: { baseURL: string } } };
}

function openSdk(keyId = '', keySecret = ''): Sdk {
  const opened = new Razorpay({ key_id: keyId, key_secret: keySecret }) as unknown as Sdk;
  opened.api.rq.defaults.baseURL = fixture.url;
  return opened;
}

let fixture: Fixture;
let sdk: Sdk;
beforeAll(async () => {
  fixture = await openFixture();
  sdk = openSdk(fixture.credentials.keyId, fixture.credentials.keySecret);
});
afterAll(() => fixture.close());

const link = (changed: object = {}) => ({
  amount: 8_001,
  currency: 'INR',
  accept_partial: false,
  reference_id: fixture.order().orderNo,
  description: 'SDK',
  ...changed,
});

test('the official SDK creates, finds and cancels a payment link at the fake, and our adapter sees the same state', async () => {
  const order = fixture.order({ amount: '80.01' });
  const createdLink = await sdk.paymentLink.create(link({ reference_id: order.orderNo }));
  expect(createdLink).toMatchObject({ status: 'created', reference_id: order.orderNo });
  const accepted = { outcome: 'accepted', channelRef: createdLink.id, payLink: createdLink.short_url };
  expect(await fixture.channel.query(order, AbortSignal.timeout(10_000))).toEqual(accepted);
  expect((await sdk.paymentLink.fetch(createdLink.id)).id).toBe(createdLink.id);
  await expect(sdk.paymentLink.create(link({ reference_id: order.orderNo }))).rejects.toMatchObject({
    statusCode: 400,
    error: { description: expect.stringContaining('already exists') },
  });
  expect((await sdk.paymentLink.cancel(createdLink.id)).status).toBe('cancelled');
  expect(await fixture.channel.query(order, AbortSignal.timeout(10_000))).toMatchObject({ outcome: 'closed' });
});

test('the fake refuses a wrong key and unknown fields', async () => {
  await expect(sdk.paymentLink.create(link({ colour: 'red' }))).rejects.toMatchObject({ statusCode: 400 });
  await expect(openSdk('rzp_test_x', 'x').paymentLink.create(link())).rejects.toMatchObject({ statusCode: 401 });
});

test('the official SDK verifies the webhooks of the fake', async () => {
  const order = fixture.order({ amount: '80.01' });
  await fixture.control('early_webhook');
  await sdk.paymentLink.create(link({ amount: 8_001, reference_id: order.orderNo }));
  await expect.poll(() => fixture.webhooks(order.orderNo).length).toBeGreaterThan(0);
  for (const { headers, body } of fixture.webhooks(order.orderNo)) {
    const signature = String(headers['x-razorpay-signature']);
    const secret = fixture.credentials.webhookSecret ?? '';
    expect(Razorpay.validateWebhookSignature(Buffer.from(body).toString(), signature, secret)).toBe(true);
  }
});

test('the official SDK verifies our signatures, and we refuse what the SDK refuses', () => {
  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const secret = fc.string({ minLength: 1, maxLength: 40 });
  const property = fc.property(text, secret, secret, (body, ours, other) => {
    const bytes = Buffer.from(body, 'utf8');
    const signature = signWebhook(ours, bytes);
    expect(Razorpay.validateWebhookSignature(bytes.toString('utf8'), signature, ours)).toBe(true);
    const theirs = Razorpay.validateWebhookSignature(bytes.toString('utf8'), signature, other);
    expect(verifyWebhook([{ name: 'other', secret: other }], signature, bytes).ok).toBe(theirs);
  });
  fc.assert(property, { numRuns: 100 });
});
