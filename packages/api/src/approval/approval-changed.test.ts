import { aMerchant } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../test/api-fixture.ts';
import { type EventStream, listen } from '../../test/event-stream.ts';
import { type LiveFixture, openLiveFixture } from '../../test/live-fixture.ts';

let fixture: LiveFixture;
let listening: string;
let deciding: string;
let ann: string;
let bob: string;
beforeAll(async () => {
  fixture = await openLiveFixture();
  [ann, bob] = [await fixture.letIn('admin'), await fixture.letIn('admin')];
  ({ url: listening } = await fixture.serveLive());
  // Decides in another process than the listening one.
  deciding = await fixture.serve({ domain: fixture.elsewhere });
});
afterAll(() => fixture.close());

async function change(token: string, mutation: string, fields: string): Promise<Record<string, unknown>> {
  const { data, errors } = await ask(deciding, `mutation { it: ${mutation} { ${fields} } }`, { token });
  expect(errors).toEqual([]);
  return data?.it as Record<string, unknown>;
}
async function request(merchantId: string, percent = '3'): Promise<string> {
  const input = `input: { merchantId: "${merchantId}", kind: PAYIN, percent: "${percent}", fixed: "0" }`;
  const fields = '... on SetFeeRulePayload { approval { approvalId } }';
  const { approval } = await change(ann, `setFeeRule(${input}, reason: "a test")`, fields);
  return (approval as { approvalId: string }).approvalId;
}
const approve = (approvalId: string) => change(bob, `approve(approvalId: "${approvalId}")`, '__typename');
const withdraw = (approvalId: string) =>
  change(ann, `withdraw(approvalId: "${approvalId}", reason: "a test")`, '__typename');
const next = async (stream: EventStream) => (await stream.next())?.data.data?.approvalChanged;
const subscribe = (token: string, args = '') =>
  listen(listening, `subscription { approvalChanged${args} { approvalId state mayDecide { allowed } } }`, { token });

test('requested, approved and withdrawn approvals are sent, with the rights of the subscriber', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const [stream, decided] = [await subscribe(bob), await subscribe(bob, '(states: [EXECUTED])')];
  const approvalId = await request(merchantId);
  expect(await next(stream)).toEqual({ approvalId, state: 'PENDING', mayDecide: { allowed: true } });
  await approve(approvalId);
  for (const one of [stream, decided])
    expect(await next(one)).toEqual({ approvalId, state: 'EXECUTED', mayDecide: { allowed: false } });
  const another = await request(merchantId, '4');
  expect(await next(stream)).toMatchObject({ approvalId: another, state: 'PENDING' });
  await withdraw(another);
  expect(await next(stream)).toMatchObject({ approvalId: another, state: 'WITHDRAWN' });
  for (const one of [stream, decided]) one.leave();
});

test('a restricted operator receives approvals of their own merchants only', async () => {
  const [own, other] = [await aMerchant(fixture.domain, 'IN'), await aMerchant(fixture.domain, 'CN')];
  const restricted = await fixture.letInRestricted({ countries: ['IN'] });
  const stream = await subscribe(restricted);
  await request(other.merchantId);
  await change(
    ann,
    'createOperator(input: { operatorId: "mei", name: "Mei", roles: [ADMIN] }, reason: "a test")',
    '__typename',
  );
  const approvalId = await request(own.merchantId);
  expect(await next(stream)).toMatchObject({ approvalId, state: 'PENDING' });
  stream.leave();
});
