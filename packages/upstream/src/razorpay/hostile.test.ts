import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordsOf } from './fake/context.ts';
import { razorpayFake, startRazorpayFake } from './fake/index.ts';
import { type Fixture, openFixture } from './testing/open-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const longDeadline = () => AbortSignal.timeout(10_000);
const until = <T>(fact: () => T | Promise<T>) => vi.waitFor(fact, { timeout: 5_000, interval: 20 });

/** The webhooks of a payin that is paid before its create is answered. */
async function webhooksOfPaid() {
  const order = fixture.order();
  await fixture.control('early_webhook');
  await fixture.channel.create(order, longDeadline());
  return until(() => {
    const found = fixture.webhooks(order.orderNo);
    expect(found.length).toBeGreaterThanOrEqual(2);
    return found;
  });
}

test('after a change of the webhook secret both secrets are trusted until the old one is removed', async () => {
  const old = await webhooksOfPaid();
  await fixture.control('webhook_secret', { secret: 'the new secret' });
  const fresh = await webhooksOfPaid();
  const { webhookSecret: before = '' } = fixture.credentials;
  const both = fixture.channelAt(fixture.url, { webhookSecret: 'the new secret', previousWebhookSecret: before });
  const changed = fixture.channelAt(fixture.url, { webhookSecret: 'the new secret' });
  for (const { headers, body } of [...old, ...fresh])
    expect(both.parseCallback(headers, body).type).not.toBe('refused');
  for (const { headers, body } of old) expect(changed.parseCallback(headers, body).type).toBe('refused');
  for (const { headers, body } of fresh) expect(fixture.channel.parseCallback(headers, body).type).toBe('refused');
  await fixture.control('webhook_secret', { secret: before });
});

test('a webhook that another merchant signed is refused', async () => {
  await fixture.control('foreign_signature', { times: 10 });
  for (const { headers, body } of await webhooksOfPaid())
    expect(fixture.channel.parseCallback(headers, body)).toMatchObject({ type: 'refused', why: 'unauthentic' });
  await fixture.control('foreign_signature', { times: 0 });
});

test('a cancelled link whose payer was in the middle of a payment is unknown', async () => {
  const order = fixture.order({ amount: '80.01' });
  await fixture.channel.create(order, longDeadline());
  const link = recordsOf(fixture.context, 'link').find(({ reference }) => reference === order.orderNo);
  if (!link) throw new Error('no link');
  const orderId = 'order_inTheMiddle';
  fixture.context.store.put(link.id, { ...link, orderId });
  const payment = { id: 'pay_inTheMiddle', orderId, linkId: link.id, amount: link.amount, createdAt: link.createdAt };
  fixture.context.store.put(payment.id, { type: 'payment', ...payment, status: 'created' });
  expect(await fixture.channel.cancel(order, longDeadline())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  fixture.context.store.put(payment.id, { type: 'payment', ...payment, status: 'failed' });
  expect(await fixture.channel.query(order, longDeadline())).toMatchObject({ outcome: 'closed' });
});

test('the fake continues after a restart with its stored objects', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-razorpay-'));
  const { account, credentials } = razorpayFake.makeAccount();
  const options = { port: 0, account, stateFile: join(folder, 'state.jsonl') };
  const first = await startRazorpayFake({ ...options, timeFactor: 1_000 });
  const order = fixture.order();
  const before = await fixture.channelAt(first.url, credentials).create(order, longDeadline());
  await first.close();
  const second = await startRazorpayFake({ ...options, timeFactor: 0.01 });
  const channel = fixture.channelAt(second.url, credentials);
  const channelRef = 'channelRef' in before ? before.channelRef : 'none';
  await until(async () =>
    expect(await channel.query(order, longDeadline())).toMatchObject({ outcome: 'paid', channelRef }),
  );
  await second.close();
  await rm(folder, { recursive: true });
});
