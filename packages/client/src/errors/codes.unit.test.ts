import { expect, test } from 'vitest';
import { failures } from '../../../rest-adapter/src/request/errors.ts';
import { ERROR_CODES } from './codes.ts';
import { errorOf } from './error-of.ts';
import { ApiError, TidegateError } from './errors.ts';

const refusal = { httpStatus: 400, requestId: 'r-1', retryAfterSeconds: null, data: null };

test("all codes, HTTP statuses and messages equal the service's own", () => {
  const service = Object.values(failures).map(({ code, http, msg }) => [code, { http, msg }] as const);
  const ours = Object.entries(ERROR_CODES).map(([code, { http, msg }]) => [Number(code), { http, msg }] as const);
  expect(service.length).toBeGreaterThan(20);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(service));
});

test.each(Object.entries(ERROR_CODES))('%s has the class of its group', (code, { group, msg }) => {
  const error = errorOf({ ...refusal, code: Number(code), msg });
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toBeInstanceOf(TidegateError);
  expect(error.name.toLowerCase()).toBe(`${group}Error`.toLowerCase());
  expect(error.code).toBe(Number(code));
  expect(error.message).toBe(`${code} ${msg} (request r-1)`);
});

test('an unknown code of a later version becomes an ApiError without a group', () => {
  const error = errorOf({ ...refusal, code: 49999, msg: 'new' });
  expect([error.name, error.code, error.constructor]).toEqual(['ApiError', 49999, ApiError]);
});
