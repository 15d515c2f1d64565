import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  privateKeyPem,
  type ScriptedReply,
  type ScriptedService,
  type Seen,
  scriptedService,
} from '../test/scripted-service.ts';
import { createClient } from './client.ts';
import { ApiError, OutcomeUnknownError } from './errors/errors.ts';

const request = { merchantOrderNo: 'M-1', amount: '100', metadata: { ifsc: 'HDFC0001234' } };
const payout = { ...request, receiverName: 'A', receiverAccount: '123456' };
const order = {
  orderNo: 'PO1',
  merchantOrderNo: 'M-1',
  amount: '100.00',
  feeAmount: '6.00',
  netAmount: '106.00',
  status: 'processing',
  createdAt: 1,
};
const done: ScriptedReply = { code: 0, data: order };
const notFound: ScriptedReply = { code: 40401, msg: 'order not found' };
const duplicate: ScriptedReply = { code: 40901, msg: 'merchant order no already exists: same request' };
const another: ScriptedReply = { code: 40901, msg: 'merchant order no already exists: another request' };
/** It does not say which request created the order. */
const unsaid: ScriptedReply = { code: 40901, msg: 'merchant order no already exists' };

const clientOf = (service: Pick<ScriptedService, 'url'>, options: object = {}) =>
  createClient({
    country: 'IN',
    merchantNo: 'IN10001',
    privateKey: privateKeyPem,
    baseUrl: service.url,
    timeoutMs: 10_000,
    ...options,
  });
const shortly = ({ seen }: ScriptedService) => seen.map(({ path }) => path.replace('/payout/', ''));
/** Replies to creates come from the first list, to queries from the second. The last reply of each repeats. */
const script = (creates: ScriptedReply[], queries: ScriptedReply[] = [notFound]) => {
  const next = (replies: ScriptedReply[]) => (replies.length > 1 ? replies.shift() : replies[0]) ?? 'cut';
  return scriptedService(({ path }: Seen) => next(path.endsWith('/query') ? queries : creates));
};

describe('a create whose answer is lost makes one order', () => {
  test.each<[string, ScriptedReply[], ScriptedReply[], string[], boolean]>([
    ['no answer is lost', [done], [], ['create'], false],
    ['the connection breaks before the order is created', ['cut', done], [], ['create', 'create'], false],
    [
      'the connection breaks after the order is created',
      ['cut', duplicate],
      [done],
      ['create', 'create', 'query'],
      true,
    ],
    ['no answer in time', ['silence', duplicate], [done], ['create', 'create', 'query'], true],
    ['an internal error', [{ code: 50000 }, duplicate], [done], ['create', 'create', 'query'], true],
    ['unavailable', [{ code: 50300, headers: { 'retry-after': '0' } }, done], [], ['create', 'create'], false],
    ['a page of a proxy', [{ raw: '<html>', http: 502 }, duplicate], [done], ['create', 'create', 'query'], true],
    ['too many requests', [{ code: 42900, headers: { 'retry-after': '0' } }, done], [], ['create', 'create'], false],
    ['sent twice by a proxy', [{ code: 40103 }, duplicate], [done], ['create', 'create', 'query'], true],
    [
      'an answer that ends in its middle',
      [{ raw: '{"code":0,"msg":"succ', http: 200 }, duplicate],
      [done],
      ['create', 'create', 'query'],
      true,
    ],
  ])('%s', async (_, creates, queries, requests, recovered) => {
    const service = await script(creates, queries);
    const timeoutMs = creates.includes('silence') ? 1_000 : 10_000;
    expect(await clientOf(service, { timeoutMs }).payout.create(payout)).toEqual({ ...order, recovered });
    expect(shortly(service)).toEqual(requests);
    expect(service.seen.every(({ isSigned }) => isSigned)).toBe(true);
    expect(new Set(service.seen.map(({ nonce }) => nonce)).size).toBe(requests.length);
    expect(new Set(service.seen.filter(({ method }) => method === 'POST').map(({ body }) => body)).size).toBe(1);
  });

  test.each<[string, ScriptedReply[], ScriptedReply[], string, string[]]>([
    ['a used number, and no answer lost', [duplicate], [done], 'OrderExistsError', ['create']],
    [
      'a number that another request with the same amount has used, after a lost answer',
      ['cut', another],
      [done],
      'OrderExistsError',
      ['create', 'create'],
    ],
    [
      'a used number, of which the service does not say more',
      ['cut', unsaid],
      [done],
      'OrderExistsError',
      ['create', 'create'],
    ],
    [
      'an answer is lost, the repetition is refused, and an order of that number exists',
      ['cut', { code: 42204 }],
      [done],
      'OutcomeUnknownError',
      ['create', 'create'],
    ],
    [
      'a wrong field, after a lost answer, and an order of that number exists',
      ['cut', { code: 40001 }],
      [done],
      'OutcomeUnknownError',
      ['create', 'create', 'query'],
    ],
    ['an insufficient balance', [{ code: 42201 }], [], 'RejectionError', ['create']],
    [
      'an insufficient balance, after a lost answer',
      ['cut', { code: 42201 }],
      [notFound],
      'OutcomeUnknownError',
      ['create', 'create'],
    ],
    [
      'a wrong field, after a lost answer',
      ['cut', { code: 40001 }],
      [notFound],
      'RequestError',
      ['create', 'create', 'query'],
    ],
    ['an order that the channel refuses', [{ code: 50201 }], [], 'UpstreamError', ['create']],
    ['a wrong field', [{ code: 40001 }], [], 'RequestError', ['create']],
    ['a wrong signature', [{ code: 40101 }], [], 'AuthenticationError', ['create']],
    [
      'too many requests at each attempt',
      [{ code: 42900, headers: { 'retry-after': '0' } }],
      [],
      'RateLimitError',
      ['create', 'create', 'create'],
    ],
    [
      'all answers are lost, whether or not an order of that number exists',
      ['cut'],
      [done],
      'OutcomeUnknownError',
      ['create', 'create', 'create'],
    ],
    [
      'an answer is lost, the order exists, and the answer of the query is lost',
      ['cut', duplicate],
      [{ code: 40301 }],
      'OutcomeUnknownError',
      ['create', 'create', 'query'],
    ],
    [
      "another order's answer",
      [{ code: 0, data: { ...order, merchantOrderNo: 'M-2' } }],
      [],
      'OutcomeUnknownError',
      ['create'],
    ],
  ])('%s', async (_, creates, queries, name, requests) => {
    const service = await script(creates, queries);
    await expect(clientOf(service).payout.create(payout)).rejects.toMatchObject({ name });
    expect(shortly(service)).toEqual(requests);
  });

  test('after a crash, resume finds the order', async () => {
    const service = await script([duplicate], [done]);
    expect(await clientOf(service).payout.create(payout, { resume: true })).toEqual({ ...order, recovered: true });
  });

  test.each([
    ['another request', another, /another request/],
    ['it does not say which request', unsaid, /compare the order before you use it/],
  ])('resume does not take an order as its own where the service says: %s', async (_, reply, message) => {
    const service = await script([reply], [done]);
    const created = clientOf(service).payout.create(payout, { resume: true });
    await expect(created).rejects.toMatchObject({ name: 'OrderExistsError', message: expect.stringMatching(message) });
    expect(shortly(service)).toEqual(['create']);
  });

  test('with resume a refusal is returned if no answer was lost in this call', async () => {
    const service = await script([{ code: 42201 }], [notFound]);
    await expect(clientOf(service).payout.create(payout, { resume: true })).rejects.toMatchObject({
      name: 'RejectionError',
    });
  });

  test('a create without a server fails with ConnectionError, because nothing was sent', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const client = clientOf({ url: `http://127.0.0.1:${port}` }, { attempts: 2 });
    await expect(client.payout.create(payout)).rejects.toMatchObject({ name: 'ConnectionError' });
  });

  test('a create that the caller aborts during a request fails with OutcomeUnknownError', async () => {
    const stop = new AbortController();
    const service = await scriptedService(() => {
      stop.abort();
      return 'silence';
    });
    const error = await clientOf(service)
      .payout.create(payout, { signal: stop.signal })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ merchantOrderNo: 'M-1', cause: { name: 'AbortError' } });
    expect(service.seen.length).toBe(1);
  });
});

describe('reads', () => {
  test('queries are repeated after a lost answer, with a new signature', async () => {
    const service = await script([], ['cut', { code: 50300, headers: { 'retry-after': '0' } }, done]);
    expect(await clientOf(service).payout.query({ merchantOrderNo: 'M-1' })).toEqual(order);
    expect(service.seen.map(({ query, isSigned }) => [query, isSigned])).toEqual(
      Array(3).fill(['merchantOrderNo=M-1', true]),
    );
  });

  test.each<[string, ScriptedReply, object]>([
    ['an unknown order', notFound, { name: 'OrderNotFoundError', code: 40401, httpStatus: 404, requestId: 'r-1' }],
    [
      'a code of a later version',
      { code: 40999, msg: 'new' },
      { name: 'ApiError', code: 40999, constructor: ApiError },
    ],
    [
      'unavailable',
      { code: 50300, headers: { 'retry-after': '0' } },
      { name: 'ServiceError', code: 50300, retryAfterSeconds: 0 },
    ],
    ['silence', 'silence', { name: 'TimeoutError' }],
    ['a broken connection', 'cut', { name: 'ConnectionError' }],
    ['an answer without code and message', { raw: '{"ok":true}', http: 200 }, { name: 'UnexpectedAnswerError' }],
    [
      'an endless answer',
      { raw: `{"code":0,"msg":"${'x'.repeat(2_000_000)}"}`, http: 200 },
      { name: 'UnexpectedAnswerError' },
    ],
    [
      'the state of another order',
      { code: 0, data: { ...order, merchantOrderNo: 'X' } },
      { name: 'UnexpectedAnswerError' },
    ],
    [
      'a wrong signature in the sandbox, with the signed content',
      { code: 40101, data: { signedContent: 'a=1' } },
      { name: 'AuthenticationError', data: { signedContent: 'a=1' } },
    ],
  ])('%s', async (_, reply, expected) => {
    const service = await scriptedService(() => reply);
    const error = await clientOf(service, { attempts: 2, ...(reply === 'silence' && { timeoutMs: 400 }) })
      .payout.query({ merchantOrderNo: 'M-1' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(expected);
  });

  test('a redirect is not followed, so the signature goes to no other server', async () => {
    const other = await scriptedService(() => done);
    const service = await scriptedService(() => ({ code: 0, http: 307, headers: { location: other.url } }));
    await expect(clientOf(service, { attempts: 1 }).wallet.balance()).rejects.toMatchObject({
      name: 'ConnectionError',
    });
    expect(other.seen).toEqual([]);
  });

  test('wallet and transactions are requested with their page parameters', async () => {
    const service = await scriptedService(() => ({ code: 0, data: { list: [] } }));
    await clientOf(service).wallet.transactions({ page: 2, pageSize: 50 });
    await clientOf(service).wallet.transactions();
    await clientOf(service).wallet.balance();
    expect(service.seen.map(({ path, query }) => `${path}?${query}`)).toEqual([
      '/wallet/transactions?page=2&pageSize=50',
      '/wallet/transactions?',
      '/wallet?',
    ]);
  });
});

test.each([
  ['CN', { countryCode: 'CN', currency: 'CNY', merchantOrderNo: 'M-1', amount: '5' }],
  ['TH', { merchantOrderNo: 'M-1', amount: '5' }],
  ['IN', { countryCode: 'IN', currency: 'INR', merchantOrderNo: 'M-1', amount: '5' }],
  ['PK', { merchantOrderNo: 'M-1', amount: '5' }],
] as const)('%s: the client adds country and currency if they are required', async (country, sent) => {
  const service = await scriptedService(() => ({ code: 0, data: order }));
  const client: { payin: { create(request: object): Promise<object> } } = clientOf(service, { country });
  await client.payin.create({ merchantOrderNo: 'M-1', amount: '5', remark: undefined });
  expect(JSON.parse(service.seen[0]?.body ?? '')).toEqual(sent);
});

test.each([
  ['an invalid key', { privateKey: 'x' }, 'not a private key'],
  ['http to another machine', { baseUrl: 'http://pay.example' }, 'must begin with https://'],
  ['no URL', { baseUrl: 'pay.example' }, 'absolute URL'],
  ['credentials in the URL', { baseUrl: 'https://a:b@pay.example' }, 'credentials'],
  ['an invalid merchant number', { merchantNo: 'in 1' }, 'merchantNo must be'],
  ['an unknown country', { country: 'XX' }, 'country must be'],
  ['a number of attempts below one', { attempts: 0 }, 'attempts must be'],
  ['a time limit below one millisecond', { timeoutMs: 0.5 }, 'timeoutMs must be'],
])('%s is refused before anything is sent', (_, options, message) => {
  expect(() => clientOf({ url: 'https://pay.example' }, options)).toThrow(message);
});
