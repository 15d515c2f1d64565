import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../test/api-fixture.ts';
import { schema } from './schema.ts';

// A renamed field keeps its old name for one release. Both names have the same value.

let api: ApiFixture;
let token: string;
let merchantId: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer', 'support', 'admin');
  ({ merchantId } = await aMerchant(api.domain, 'CN'));
});
afterAll(() => api.close());

async function answered(query: string): Promise<Record<string, unknown>> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data ?? {};
}

test('each old name is deprecated, and says which name to use', () => {
  const found = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter(({ deprecationReason }) => deprecationReason != null)
        .map(({ name, deprecationReason }) => {
          const [, replacement = ''] = /^Use (\w+)\.$/.exec(deprecationReason ?? '') ?? [];
          expect(String(type.getFields()[replacement]?.type), `${type.name}.${name}`).toBe(
            String(type.getFields()[name]?.type),
          );
          return `${type.name}.${name} → ${replacement}`;
        }),
    );
  expect(found.toSorted()).toEqual([
    'Approval.askedAt → requestedAt',
    'Approval.askedBy → requestedBy',
    'ApprovalFilter.askedBy → requestedBy',
    'Figures.isCut → isTruncated',
    'ReconciliationDayDetail.missing → closingProblems',
    'ResendNotificationPayload.putBack → resent',
    'ResendNotificationsPayload.putBack → resent',
  ]);
});

test('an approval has its requester and time under both names, and both filters find it', async () => {
  const fee = `input: { merchantId: "${merchantId}", kind: PAYIN, percent: "3.5", fixed: "1.00" }`;
  await answered(
    `mutation { setFeeRule(${fee}, reason: "a test") { ... on SetFeeRulePayload { approval { approvalId } } } }`,
  );
  const { me, all } = (await answered(
    '{ me { operatorId } all: approvals { edges { node { requestedBy askedBy requestedAt askedAt } } } }',
  )) as { me: { operatorId: string }; all: { edges: { node: Record<string, string> }[] } };
  const [approval, ...others] = all.edges.map(({ node }) => node);
  expect(others).toEqual([]);
  expect(approval).toMatchObject({ requestedBy: me.operatorId, askedBy: me.operatorId });
  expect(approval?.requestedAt).toMatch(/^\d{4}-/);
  expect(approval?.requestedAt).toBe(approval?.askedAt);
  for (const name of ['requestedBy', 'askedBy']) {
    const by = (id: string) => `approvals(filter: { ${name}: "${id}" }) { totalCount }`;
    expect(await answered(`{ mine: ${by(me.operatorId)} none: ${by('somebody')} }`)).toEqual({
      mine: { totalCount: 1 },
      none: { totalCount: 0 },
    });
  }
});

test('both names of a filter together are refused', async () => {
  const { errors } = await ask(
    api.url,
    '{ approvals(filter: { requestedBy: "anna", askedBy: "bert" }) { totalCount } }',
    {
      token,
    },
  );
  expect(errors).toMatchObject([
    {
      message: expect.stringContaining('askedBy must not be sent together with requestedBy'),
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
});

test('figures report truncation by both names', async () => {
  const input = 'input: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", grain: DAY }';
  expect(await answered(`{ figures(${input}) { isTruncated isCut } }`)).toEqual({
    figures: { isTruncated: false, isCut: false },
  });
});

test('the number of resent notifications has both names', async () => {
  const { orderNo } = await placePayin(api.domain, merchantId, 'CN', { notifyUrl: 'http://127.0.0.1:9/n' });
  await api.domain.commit({
    type: 'applyReport',
    ref: { merchantId, orderNo },
    channelId: 'fake',
    during: 'callback',
    answer: { outcome: 'paid', payments: [{ reference: 'A', amount: '100.00' }] },
  });
  await api.domain.database.pool.query(
    `update notification set state = 'exhausted', next_attempt_at = null where merchant_id = $1`,
    [merchantId],
  );
  const resend = `resendNotification(input: { orderNo: "${orderNo}", requestKey: "again" }, reason: "a test")`;
  expect(
    await answered(`mutation { ${resend} { ... on ResendNotificationPayload { matched resent putBack } } }`),
  ).toEqual({
    resendNotification: { matched: 1, resent: 1, putBack: 1 },
  });
});
