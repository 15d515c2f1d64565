import { aBacklogOf, aMerchant, aNotification } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let merchantId: string;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('support');
  ({ merchantId } = await aMerchant(api.domain, 'CN'));
  const ref = await aNotification(api.domain, merchantId);
  await aBacklogOf(api.domain, ref, 4);
  const { pool } = api.domain.database;
  await pool.query(
    `update notification set state = 'exhausted', attempt = 16, next_attempt_at = null where merchant_id = $1 and status <> 'copy 1'`,
    [merchantId],
  );
  await pool.query(
    `insert into notification_attempt (merchant_id, order_no, status, attempt, started_at, duration_ms, error, http_status)
     select merchant_id, order_no, status, 16, clock_timestamp(), 1, case status when 'copy 2' then 'timeout' else 'status' end, 500
     from notification where merchant_id = $1 and state = 'exhausted'`,
    [merchantId],
  );
  await pool.query(
    `insert into host_health (merchant_id, host, last_failure_at, last_error, last_http_status, last_attempt_at)
     values ($1, 'shop.test:443', '2026-01-01T00:00:00Z', 'status', 500, '2026-01-01T00:00:00Z')`,
    [merchantId],
  );
  await pool.query(`update notification set held_by = 'host' where merchant_id = $1 and status = 'copy 1'`, [
    merchantId,
  ]);
});
afterAll(() => api.close());

const range = () =>
  `merchantId: "${merchantId}", from: "${new Date(Date.now() - 3_600_000).toISOString()}", to: "${new Date(Date.now() + 3_600_000).toISOString()}"`;

test('a host shows its waiting notifications, its last failure, and whether its merchant is paused', async () => {
  const { data, errors } = await ask(
    api.url,
    `{ notificationHosts(filter: { failing: true }) { edges { node {
      merchantId host isPaused isBreakerOpen lastSuccessAt lastFailureAt lastError lastHttpStatus waiting { count isExact } } } } }`,
    { token },
  );
  expect(errors).toEqual([]);
  const failed = { lastFailureAt: '2026-01-01T00:00:00.000Z', lastError: 'status', lastHttpStatus: 500 };
  const waiting = { count: 1, isExact: true };
  expect(data).toEqual({
    notificationHosts: {
      edges: [
        {
          node: {
            merchantId,
            host: 'shop.test:443',
            isPaused: false,
            lastSuccessAt: null,
            waiting,
            ...failed,
            // There is no Redis here to ask.
            isBreakerOpen: null,
          },
        },
      ],
    },
  });
});

const listed = async (filter: string): Promise<number> => {
  const query = `{ notifications(filter: { merchantIds: ["${merchantId}"], ${filter} }) { totalCount } }`;
  const { data } = await ask(api.url, query, { token });
  return (data as { notifications: { totalCount: number } }).notifications.totalCount;
};

test.each([
  ['states: [EXHAUSTED]', 4],
  ['states: [PENDING, EXHAUSTED], host: "shop.test:443"', 5],
  ['states: [EXHAUSTED], host: "other.test:443"', 0],
  ['states: [EXHAUSTED], errors: ["timeout"]', 1],
  ['states: [EXHAUSTED], errors: ["timeout", "status"]', 4],
  ['states: [PENDING, EXHAUSTED], attemptsTo: 0', 1],
  ['states: [PENDING, EXHAUSTED], attemptsFrom: 1', 4],
])('the list and the count before a resend agree on %s', async (filter, expected) => {
  const { data, errors } = await ask(
    api.url,
    `{ resendCount(input: { ${range()}, ${filter} }) { matched wouldSend } }`,
    {
      token,
    },
  );
  expect(errors).toEqual([]);
  expect(data).toMatchObject({ resendCount: { matched: expected } });
  expect(await listed(filter)).toBe(expected);
});

test('the count before a resend equals the number of notifications that the resend sends', async () => {
  const input = `${range()}, states: [PENDING, EXHAUSTED], errors: ["status"]`;
  const { data: counted } = await ask(api.url, `{ resendCount(input: { ${input} }) { matched wouldSend } }`, { token });
  expect(counted).toEqual({ resendCount: { matched: 3, wouldSend: 3 } });
  const { data } = await ask(
    api.url,
    `mutation { resendNotifications(input: { ${input}, requestKey: "R-1" }, reason: "the server is up again") {
      ... on ResendNotificationsPayload { matched resent repeated } } }`,
    { token },
  );
  expect(data).toEqual({ resendNotifications: { matched: 3, resent: 3, repeated: false } });
});

test('a restricted operator counts and sees nothing of other merchants', async () => {
  const restricted = await api.letInRestricted({ countries: ['IN'] });
  const query = `{ resendCount(input: { ${range()}, states: [PENDING] }) { matched } notificationHosts { totalCount edges { node { host } } } }`;
  expect((await ask(api.url, query, { token: restricted })).data).toEqual({
    resendCount: null,
    notificationHosts: { totalCount: 0, edges: [] },
  });
});

test('an empty time range and a wrong filter are refused', async () => {
  for (const input of [
    `merchantId: "${merchantId}", from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z", states: [PENDING]`,
    `${range()}, states: [PENDING], errors: ["Robert'; drop"]`,
  ])
    expect(await ask(api.url, `{ resendCount(input: { ${input} }) { matched } }`, { token })).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
});
