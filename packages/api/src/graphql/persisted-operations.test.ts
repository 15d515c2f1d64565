import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';
import { readPersistedOperations } from './persisted-operations.ts';

const document = '{ order(orderNo: "PI1") { orderNo } }';
const hash = createHash('sha256').update(document).digest('hex');
/** Longer than a document that is not persisted may be. */
const long = `${document} ${'#\n'.repeat(10_000)}`;
const hashOfLong = createHash('sha256').update(long).digest('hex');
const folder = mkdtempSync(join(tmpdir(), 'tidegate-operations-'));

function fileWith(content: string): string {
  const file = join(folder, 'operations.json');
  writeFileSync(file, content);
  return file;
}

let api: ApiFixture;
let url: string;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  url = await api.serve({
    persistedOperations: readPersistedOperations(fileWith(JSON.stringify({ [hash]: document, [hashOfLong]: long }))),
  });
  token = await api.letIn('viewer');
});
afterAll(() => api.close());

const send = (body: object) => ask(url, '', { token, init: { body: JSON.stringify(body) } });
const named = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

test('an operation of the file is answered by its hash', async () => {
  expect(await send(named(hash))).toMatchObject({ data: { order: null }, errors: [] });
});

test('a persisted operation may be longer than the limit for other documents', async () => {
  expect(await send(named(hashOfLong))).toMatchObject({ data: { order: null }, errors: [] });
});

test.each([
  ['a hash that is not in the file', named('0'.repeat(64))],
  ['a document', { query: '{ __typename }' }],
  ['a document of the file, with another text of the same meaning', { query: `${document} ` }],
  ['a document with the hash of another one', { query: '{ __typename }', ...named('1'.repeat(64)) }],
])('with a file of operations every other request is refused: %s', async (_what, body) => {
  const { data, errors } = await send(body);
  expect(data ?? null).toBeNull();
  expect(errors).toHaveLength(1);
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

test.each([
  ['no JSON', 'not json', /cannot be read as JSON/],
  ['no object', '[]', /must be an object of documents/],
  ['a key that is not a hash', '{"a":"b"}', /under a has the SHA-256 [0-9a-f]{64}/],
  [
    'a document that does not have the hash of its key',
    JSON.stringify({ [hash]: '{ __typename }' }),
    new RegExp(`under ${hash} has`),
  ],
])('a file with %s is refused with the reason', (_what, content, why) => {
  expect(() => readPersistedOperations(fileWith(content))).toThrow(why);
});
