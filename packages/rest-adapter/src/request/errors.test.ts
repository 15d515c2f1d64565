import { commandRejections, merchantRejections, type Rejection, type Result } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBody, ask, createPath, type Fixture, signedPost, startFixture } from '../../test/rest-fixture.ts';
import { failures } from './errors.ts';

let fixture: Fixture;
let rejected: { rejection: Rejection; detail?: string; retryAfterMs?: number };
beforeAll(async () => {
  const createPayin = async (): Promise<Result<never>> => ({ ok: false, ...rejected });
  fixture = await startFixture({ domain: { createPayin } });
});
afterAll(() => fixture.close());

const expectedErrors: Partial<Record<Rejection, [status: number, code: number, msg: string]>> = {
  merchant_order_no_exists: [409, 40901, 'merchant order no already exists'],
  balance_insufficient: [422, 42201, 'merchant balance insufficient'],
  bank_mapping_not_found: [422, 42202, 'upstream bank mapping not found'],
  invalid_parameter: [400, 40001, 'invalid parameter'],
  amount_out_of_range: [422, 42203, 'amount out of range'],
  no_channel_available: [422, 42204, 'no channel available'],
  too_many_requests: [429, 42900, 'too many requests'],
  operation_not_available: [403, 40303, 'operation not available'],
  order_not_found: [404, 40401, 'order not found'],
  upstream_rejected: [502, 50201, 'upstream rejected'],
  upstream_timeout: [504, 50401, 'upstream timeout'],
};

const internal = [500, 50000, 'internal error'];

test.each(Object.keys({ ...merchantRejections, ...commandRejections }) as Rejection[])('%s', async (rejection) => {
  rejected = { rejection };
  const { response, code, msg, data } = await ask(
    `${fixture.url}${createPath}`,
    await signedPost(fixture.merchant().merchantId, aBody()),
  );
  expect([response.status, code, msg]).toEqual(expectedErrors[rejection] ?? internal);
  expect(data).toBeNull();
  expect(response.headers.get('retry-after')).toBe(rejection === 'too_many_requests' ? '1' : null);
});

test('a refusal with an order that exists anyway names the order in the answer and in the log', async () => {
  rejected = { rejection: 'upstream_timeout', detail: 'PI0001' };
  const init = await signedPost(fixture.merchant().merchantId, aBody());
  const { msg, response } = await ask(`${fixture.url}${createPath}`, init);
  expect(msg).toBe('upstream timeout: PI0001');
  const requestId = response.headers.get('x-request-id') ?? '';
  expect(fixture.logged.find((line) => line.includes(requestId))).toContain('"orderNo":"PI0001"');
});

test('a refusal because too much waits says after how many whole seconds to ask again', async () => {
  rejected = { rejection: 'too_many_requests', retryAfterMs: 2_100 };
  const init = await signedPost(fixture.merchant().merchantId, aBody());
  const { code, response } = await ask(`${fixture.url}${createPath}`, init);
  expect([code, response.headers.get('retry-after')]).toEqual([42900, '3']);
});

test('no code is used twice, and each begins with its HTTP status', () => {
  const rows = Object.values(failures);
  expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length);
  for (const { code, http } of rows) expect(Math.floor(code / 100)).toBe(http);
});
