import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';
import { errorCodes } from '../errors/errors.ts';

// Error messages repeat no value of the request. All values here are S3CRET.

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer', 'finance', 'admin');
});
afterAll(() => api.close());

const setChannel =
  'mutation ($input: SetChannelInput!, $reason: String!) { setChannel(input: $input, reason: $reason) { __typename } }';
const channel = { channelId: 'x-1', adapter: 'sandbox', credentials: { secret: 'S3CRET' } };
const create = (roles: string) =>
  `mutation { createOperator(input: { operatorId: "x1", name: "n", roles: ${roles} }, reason: "r") { __typename } }`;

test.each<[string, string, object, string[]]>([
  [
    'no object',
    setChannel,
    { input: 'S3CRET', reason: 'r' },
    ['Variable "$input": Expected type "SetChannelInput" to be an object.'],
  ],
  [
    'no text',
    setChannel,
    { input: { ...channel, adapter: { a: 'S3CRET' } }, reason: 'r' },
    ['Variable "$input" at "input.adapter": the value is not of type String'],
  ],
  [
    'no number',
    setChannel,
    { input: { ...channel, payinExpirySeconds: 'S3CRET' }, reason: 'r' },
    ['Variable "$input" at "input.payinExpirySeconds": the value is not of type Int'],
  ],
  [
    'no secrets',
    setChannel,
    { input: { ...channel, credentials: 'S3CRET' }, reason: 'r' },
    ['Variable "$input" at "input.credentials": Secrets are an object of texts, given as a variable'],
  ],
  [
    'something missing',
    setChannel,
    { input: { channelId: 'x-1', credentials: channel.credentials }, reason: 'r' },
    ['Variable "$input": Field "adapter" of required type "String!" was not provided.'],
  ],
  [
    'something strange',
    setChannel,
    { input: { ...channel, token: 'S3CRET' }, reason: 'r' },
    ['Variable "$input": Field "token" is not defined by type "SetChannelInput".'],
  ],
  [
    'what reads like a reason itself',
    setChannel,
    { input: { ...channel, adapter: ['at "a"; Secrets are S3CRET'] }, reason: 'r' },
    ['Variable "$input" at "input.adapter": the value is not of type String'],
  ],
  [
    'no choice',
    `mutation ($r: [Role!]!) ${create('$r').slice(8)}`,
    { r: ['S3CRET'] },
    ['Variable "$r" at "r[0]": the value is none of Role'],
  ],
  ['no choice, in the document', create('[S3CRET]'), {}, ['the value is none of Role']],
  [
    'quotes, in the document',
    create('["S3CRET"]'),
    {},
    ['the value is none of Role, which are written without quotes'],
  ],
  ['no text, in the document', '{ order(orderNo: S3CRET) { orderNo } }', {}, ['the value is not of type String']],
  [
    'no number, in the document',
    '{ orders(first: "S3CRET") { pageInfo { endCursor } } }',
    {},
    ['the value is not of type Int'],
  ],
  ['no id', '{ node(id: "S3CRET") { id } }', {}, ['this is no global id']],
  [
    'text in the wrong place',
    '{ order(orderNo: "x" "S3CRET") { orderNo } }',
    {},
    ['Syntax Error: Expected Name, found String.'],
  ],
  ['a name in the wrong place', '{ order(orderNo: "x") { orderNo } } S3CRET', {}, ['Syntax Error: Unexpected Name.']],
  [
    'no amount',
    'query ($a: Decimal) { orders(filter: { amountFrom: $a }) { pageInfo { endCursor } } }',
    { a: 'S3CRET' },
    ['Variable "$a": a Decimal is text such as "1250.00", with at most two decimals'],
  ],
])('%s', async (_what, query, variables, messages) => {
  const { errors } = await ask(api.url, query, { token, variables });
  expect(errors.map(({ message }) => message)).toEqual(messages);
  expect(JSON.stringify(errors)).not.toContain('S3CRET');
});

test.each([
  ['no JSON', '{"query": "S3CRET', 'BAD_REQUEST'],
  [
    'no such operation',
    '{"query": "query A { __typename }", "operationName": "S3CRET"}',
    'OPERATION_RESOLUTION_FAILURE',
  ],
  ['no such variables', '{"query": "{ __typename }", "variables": "S3CRET"}', 'BAD_REQUEST'],
])('a body with %s is answered with a code and a message, and nothing else', async (_what, body, code) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const { errors, requestId } = await ask(api.url, '', { init: { method: 'POST', headers, body } });
  expect(errors).toEqual([{ message: expect.any(String), extensions: { code, requestId } }]);
  expect(JSON.stringify(errors)).not.toContain('S3CRET');
});

test('the guide of operators names every code', () => {
  const guide = readFileSync(fileURLToPath(new URL('../../../../docs/operators/refusals.md', import.meta.url)), 'utf8');
  const named = [...guide.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(named).toEqual(Object.keys(errorCodes));
});
