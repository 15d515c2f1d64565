import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fixture, startFixture } from '../../../test/rest-fixture.ts';
import { failures } from '../../errors.ts';
import { endpoints } from '../../v1/endpoints.ts';
import { openApiDocument, openApiFile, printOpenApi } from './document.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

test('openapi.json is the current interface (npx pnpm --filter @tidegate/rest-adapter openapi writes it again)', () => {
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

test('the document has every signed operation, with all of its codes', () => {
  const { paths } = openApiDocument() as { paths: Record<string, object> };
  for (const { method, path } of endpoints)
    expect(Object.keys(paths[`/api/v1/merchant${path}`] ?? {})).toContain(method.toLowerCase());
  const text = JSON.stringify(paths);
  const { not_found, method_not_allowed, ...ofOperations } = failures;
  expect(not_found.code && method_not_allowed.code).toBeTruthy();
  for (const { code, msg } of Object.values(ofOperations)) expect(text).toContain(`{"code":${code},"msg":"${msg}"`);
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
