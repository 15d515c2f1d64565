import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { isInterfaceType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';
import { schema } from '../schema/schema.ts';
import { personal } from './personal.ts';

// Fields that name a person, or free text that may contain a name.

const person = 'ALI KHAN 03001234567';
let api: ApiFixture;
let orderNo: string;
let merchantId: string;
beforeAll(async () => {
  api = await openApiFixture();
  ({ merchantId } = await aMerchant(api.domain, 'TH'));
  const ref = await placePayin(api.domain, merchantId, 'TH', { notifyUrl: 'http://127.0.0.1:9/n' });
  orderNo = ref.orderNo;
  await api.domain.commit({
    type: 'applyReport',
    ref: { merchantId, orderNo },
    channelId: 'fake',
    during: 'query',
    answer: { outcome: 'failed', reason: `the account of ${person} is blocked` },
  });
  const { pool } = api.domain.database;
  await pool.query(
    `insert into channel_call (call_id, merchant_id, order_no, channel_id, operation, started_at, duration_ms, outcome, detail, is_sent, is_answer)
     values ('c1', $1, $2, 'fake', 'query', clock_timestamp(), 5, 'failed', $3, true, true)`,
    [merchantId, orderNo, person],
  );
  await pool.query(
    `insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, http_status, reply)
     values ($1, $2, 'failed', 1, clock_timestamp(), 5, 500, $3)`,
    [merchantId, orderNo, `no such customer: ${person}`],
  );
  await pool.query(
    `insert into money_case (merchant_id, case_no, kind, state, currency, amount, order_no, channel_id, reference, detail, opened_at, batch_no)
     values ($1, 1, 'contradiction', 'open', 'THB', 5, $2, 'fake', 'r1', $3, clock_timestamp(), 1)`,
    [merchantId, orderNo, `returned by the bank: ${person}`],
  );
  const input = `{ merchantId: "${merchantId}", bookingNo: "ADJ1", kind: BANK, amount: "20000.00", remark: "for ${person}" }`;
  const response = await ask(
    api.url,
    `mutation { adjustWallet(input: ${input}, reason: "a test") { ... on AdjustWalletPayload { approval { state } } } }`,
    { token: await api.letIn('finance') },
  );
  expect(response.data).toEqual({ adjustWallet: { approval: { state: 'PENDING' } } });
});
afterAll(() => api.close());

const everything = () => `{
  approvals(first: 10) { edges { node { approvalId input } } }
  moneyCases(first: 10) { edges { node { caseNo detail } } }
  order(orderNo: "${orderNo}") {
    orderNo failureReason
    notifications(first: 10) { edges { node { status body lastAttempt { reply } attempts { attempt reply } } } }
    timeline(first: 50) { edges { node {
      __typename
      ... on OrderMoved { to detail }
      ... on ChannelCalled { outcome detail }
      ... on CaseOpened { case { caseNo detail } }
      ... on NotificationAttempted { attempt { attempt reply } }
    } } }
  }
}`;

test('a viewer cannot read personal fields, and can read the others', async () => {
  const { data, errors } = await ask(api.url, everything(), { token: await api.letIn('viewer') });
  expect(JSON.stringify({ data, errors })).not.toContain('KHAN');
  expect(data).toMatchObject({
    approvals: { edges: [{ node: { input: null } }] },
    moneyCases: { edges: [{ node: { caseNo: 1, detail: null } }] },
    // Texts that the service writes itself.
    order: { orderNo, failureReason: 'payment failed', notifications: { edges: [{ node: { status: 'FAILED' } }] } },
  });
  expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['FORBIDDEN']));
});

test('support reads all of it', async () => {
  const { data, errors } = await ask(api.url, everything(), { token: await api.letIn('support') });
  expect(errors).toEqual([]);
  // Approval, case twice, attempt three times, transition, call.
  expect(JSON.stringify(data).match(/KHAN/g)).toHaveLength(8);
});

const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) || isInterfaceType(type)
    ? Object.values(type.getFields()).map((field) => ({ path: `${type.name}.${field.name}`, name: field.name, field }))
    : [],
);
/** The service's own texts: figures and ids. */
const ownWords = ['AuditFinding.detail'];

test('every field with external free text needs a role for personal data', () => {
  const free = fields.filter(
    ({ name, path }) => ['detail', 'reply', 'input'].includes(name) && !ownWords.includes(path),
  );
  expect(free.length).toBeGreaterThan(4);
  for (const { path, field } of free) {
    const { pothosOptions } = field.extensions as { pothosOptions?: { authScopes?: unknown } };
    expect([path, pothosOptions?.authScopes]).toEqual([path, personal]);
  }
});
