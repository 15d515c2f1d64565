import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fixture, startFixture } from '../../../test/rest-fixture.ts';
import { failures } from '../../request/errors.ts';
import { endpoints } from '../../v1/endpoints.ts';
import { openApiDocument, openApiFile, printOpenApi } from './document.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

test('openapi.json is the current interface (npx --yes pnpm --filter @tidegate/rest-adapter openapi writes it again)', () => {
  expect(readFileSync(openApiFile, 'utf8')).toBe(printOpenApi());
});

test('the served document equals the printed one', async () => {
  const response = await fetch(`${fixture.url}/docs/openapi.json`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(await response.text()).toBe(printOpenApi());
});

const lint = async (source: string) =>
  lintFromString({ source, absoluteRef: openApiFile, config: await createConfig({ extends: ['recommended-strict'] }) });

test('the linter finds no problem in the document', async () => {
  const problems = await lint(printOpenApi());
  expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`)).toEqual([]);
});

test('the linter finds a mistake that the test adds', async () => {
  const problems = await lint(printOpenApi().replace('"operationId": "queryPayin"', '"operationId": "createPayin"'));
  expect(problems.map(({ ruleId }) => ruleId)).toContain('operation-operationId-unique');
});

const ofSignedRequests = [40000, 40001, 40100, 40101, 40102, 40103, 40301, 40302, 42900, 50000, 50300];
const ofCreates = [40303, 40901, 41300, 41500, 42203, 42204];
/** The further codes of each signed operation (decisions 1). */
const codesOf: Record<string, number[]> = {
  'POST /payin/create': [...ofCreates, 50201, 50401],
  'GET /payin/query': [40401],
  'POST /payout/create': [...ofCreates, 42201, 42202],
  'GET /payout/query': [40303, 40401],
  'GET /wallet': [],
  'GET /wallet/transactions': [],
};

test('the document has every signed operation, each with exactly its own codes', () => {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, object>> };
  for (const { method, path } of endpoints) {
    const operation = paths[`/api/v1/merchant${path}`]?.[method.toLowerCase()];
    const codes = [...JSON.stringify(operation).matchAll(/\{"code":([1-9][0-9]{4}),"msg":"/g)].map(([, code]) =>
      Number(code),
    );
    const expected = [...ofSignedRequests, ...(codesOf[`${method} ${path}`] ?? [])];
    expect(codes.toSorted(), `${method} ${path}`).toEqual(expected.toSorted());
  }
  expect(endpoints.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(codesOf).toSorted());
});

test('each code is documented with its message. Unknown paths and methods belong to no operation', () => {
  const text = JSON.stringify(openApiDocument());
  for (const { code, msg } of Object.values(failures)) {
    const isOfOperation = code !== failures.not_found.code && code !== failures.method_not_allowed.code;
    expect(text.includes(`{"code":${code},"msg":"${msg}"`), msg).toBe(isOfOperation);
  }
});

test('the legacy bankName is documented where it is accepted, and marked as deprecated', () => {
  const { components } = openApiDocument() as unknown as {
    components: { schemas: Record<string, { properties?: Record<string, object> }> };
  };
  const having = Object.entries(components.schemas).filter(([, { properties }]) => properties?.bankName !== undefined);
  expect(having.map(([name]) => name).toSorted()).toEqual(['CreatePayinPK', 'CreatePayinTH', 'CreatePayoutPK']);
  for (const [, { properties }] of having)
    expect(properties?.bankName).toEqual({ deprecated: true, description: 'Accepted and ignored.' });
});
