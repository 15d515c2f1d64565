import { once } from 'node:events';
import { connect } from 'node:net';
import { aFundedMerchant, aJpeg, aMerchant, aPdf, aPng, placePayin, placePayout } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// Evidence and receipts: uploads, lists and downloads.

let api: ApiFixture;
let ann: string;
let merchantId: string;
let orderNo: string;
let onOrder: string;
beforeAll(async () => {
  api = await openApiFixture();
  ann = await api.letIn('finance');
  ({ merchantId } = await aFundedMerchant(api.domain, 'PK', '90000.00'));
  ({ orderNo } = await placePayout(api.domain, merchantId, 'PK', {}));
  onOrder = globalId('Payout', `${merchantId} ${orderNo}`);
});
afterAll(() => api.close());

const globalId = (type: string, key: string): string => Buffer.from(`${type}:${key}`).toString('base64');
const largest = 2 * 1024 * 1024;
/** A PNG of exactly this many bytes. */
const pngOf = (bytes: number): Buffer => aPng('x'.repeat(bytes - aPng('').length));

interface Uploaded {
  file?: { fileNo: number; sha256: string; name: string; path: string; mediaType: string; size: number };
  errors?: { message: string; extensions: { code: string } }[];
}

async function upload(
  content: Buffer | ReadableStream,
  options: { on?: string; token?: string | null; url?: string; query?: string; type?: string } = {},
) {
  const {
    on = onOrder,
    token = ann,
    url = api.url,
    query = '&name=receipt.png',
    type = 'application/octet-stream',
  } = options;
  const response = await fetch(`${url}/files?on=${encodeURIComponent(on)}${query}`, {
    method: 'POST',
    headers: { 'content-type': type, ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: Buffer.isBuffer(content) ? new Uint8Array(content) : content,
    ...(!Buffer.isBuffer(content) && { duplex: 'half' }),
  });
  return { status: response.status, ...((await response.json()) as Uploaded) };
}

const download = (path = '', token = ann, url = api.url): Promise<Response> =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });

async function read<Data>(query: string, token = ann): Promise<Data> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data as Data;
}

test('a file is uploaded once, listed without its content, and downloaded as an attachment, each recorded without its name', async () => {
  const [first, again] = [await upload(aPng('first')), await upload(aPng('first'), { query: '&name=other.png' })];
  expect([first.status, first.file]).toMatchObject([
    201,
    { mediaType: 'image/png', name: 'receipt.png', size: aPng('first').length },
  ]);
  expect(again.file).toEqual(first.file);
  const { order } = await read<{ order: { files: object[] } }>(
    `{ order(orderNo: "${orderNo}") { files { fileNo name mediaType size sha256 uploadedBy path } } }`,
  );
  expect(order.files).toEqual([{ ...first.file, uploadedBy: expect.stringMatching(/^op-/) }]);
  const response = await download(first.file?.path);
  expect(Buffer.from(await response.arrayBuffer()).equals(aPng('first'))).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="file"; filename*=UTF-8''receipt.png`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  const { rows } = await api.domain.database.pool.query(
    "select action, subject, detail from audit_record where merchant_id = $1 and action in ('attachFile', 'readFile') order by audit_no",
    [merchantId],
  );
  expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
    ['attachFile', orderNo],
    ['attachFile', orderNo],
    ['readFile', orderNo],
  ]);
  expect(JSON.stringify(rows)).not.toContain('receipt');
});

test('a case and a booking can have files; the approval that waits for the booking shows them', async () => {
  const { orderNo: payin } = await placePayin(api.domain, merchantId, 'PK');
  for (const reference of ['A', 'B'])
    await api.domain.commit({
      ...({ type: 'applyReport', ref: { merchantId, orderNo: payin }, channelId: 'fake', during: 'callback' } as const),
      answer: { outcome: 'paid', payments: [{ reference, amount: '100.00' }] },
    });
  expect((await upload(aJpeg(), { on: globalId('MoneyCase', `${merchantId} 1`) })).status).toBe(201);
  const wallet = globalId('Wallet', merchantId);
  const onBooking = { on: wallet, query: '&bookingNo=B-1&name=a%2Fb%0Ac.pdf' };
  expect(await upload(aPdf(), onBooking)).toMatchObject({ status: 404, errors: [{ message: /no such booking/ }] });
  const book = `mutation { it: settleWallet(input: { merchantId: "${merchantId}", bookingNo: "B-1", amount: "20000", remark: "r" }, reason: "r") {
    ... on SettleWalletPayload { approval { approvalId } } } }`;
  const { it } = await read<{ it: { approval: { approvalId: string } } }>(book);
  expect((await upload(aPdf(), onBooking)).file).toMatchObject({ name: 'a_b_c.pdf', mediaType: 'application/pdf' });
  expect((await upload(aPdf(), { on: wallet })).status).toBe(400);
  const shown = `{ approval(approvalId: "${it.approval.approvalId}") { files { mediaType } } }`;
  expect(await read(shown)).toEqual({ approval: { files: [{ mediaType: 'application/pdf' }] } });
  const query = `{ merchant(merchantId: "${merchantId}") { wallet { files(bookingNo: "B-1") { mediaType } } }
    moneyCases(filter: { merchantIds: ["${merchantId}"] }) { edges { node { files { mediaType } } } } }`;
  expect(await read(query)).toEqual({
    merchant: { wallet: { files: [{ mediaType: 'application/pdf' }] } },
    moneyCases: { edges: [{ node: { files: [{ mediaType: 'image/jpeg' }] } }] },
  });
});

test.each<[string, Buffer]>([
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a PNG with a page behind it', Buffer.concat([aPng(), Buffer.from('<script>alert(1)</script>')])],
  ['a PDF that is an archive too', Buffer.concat([aPdf(), Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)])],
  ['nothing', Buffer.alloc(0)],
])('%s is refused, whatever the file name', async (_, content) => {
  const { status, errors } = await upload(content, { type: 'image/png' });
  expect([status, errors]).toMatchObject([415, [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }]]);
});

test('a file of 2 MB is accepted, and one byte more is refused, also without Content-Length', async () => {
  expect((await upload(pngOf(largest))).status).toBe(201);
  const tooLarge = { status: 413, errors: [{ extensions: { code: 'REQUEST_TOO_LARGE' } }] };
  expect(await upload(pngOf(largest + 1)).catch(() => tooLarge)).toMatchObject(tooLarge);
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(pngOf(largest + 1)));
      controller.close();
    },
  });
  expect(await upload(stream).catch(() => tooLarge)).toMatchObject(tooLarge);
  const { rows } = await api.domain.database.pool.query('select max(length(content)) as size from file_content');
  expect(rows).toEqual([{ size: largest }]);
});

test('an order has at most 20 files, and a further one is not stored', async () => {
  const { orderNo: another } = await placePayout(api.domain, merchantId, 'PK', {});
  const on = globalId('Payout', `${merchantId} ${another}`);
  for (let i = 0; i < 20; i += 1) expect((await upload(aPng(`no ${i}`), { on })).status).toBe(201);
  expect(await upload(aPng('one more'), { on })).toMatchObject({
    status: 409,
    errors: [{ extensions: { code: 'CONFLICT' } }],
  });
  expect((await upload(aPng('no 3'), { on })).file).toMatchObject({ fileNo: 4 });
  const { rows } = await api.domain.database.pool.query(
    "select from file_content where position('one more'::bytea in content) > 0",
  );
  expect(rows).toEqual([]);
});

test('upload and download are refused without a token, for viewers, and for other merchants and countries', async () => {
  const { file } = await upload(aPng('secret'));
  const { merchantId: other } = await aMerchant(api.domain, 'CN');
  const restricted = [
    await api.letInRestricted({ merchantIds: [other] }),
    await api.letInRestricted({ countries: ['CN'] }),
  ];
  for (const token of restricted) {
    expect((await upload(aPng(), { token })).status).toBe(404);
    expect((await download(file?.path, token)).status).toBe(404);
  }
  const viewer = await api.letIn('viewer');
  expect((await upload(aPng(), { token: viewer })).status).toBe(403);
  expect((await download(file?.path, viewer)).status).toBe(403);
  expect((await upload(aPng(), { token: null })).status).toBe(401);
  expect((await download(file?.path, '')).status).toBe(401);
  for (const on of ['', 'x', globalId('Merchant', merchantId), globalId('Operator', 'ann')])
    expect((await upload(aPng(), { on })).status).toBe(400);
  expect((await upload(aPng(), { on: globalId('Payout', `${merchantId} PO0`) })).status).toBe(404);
  for (const id of [
    '',
    'x',
    Buffer.from('[1]').toString('base64url'),
    Buffer.from(`["${merchantId}",99,"${orderNo}"]`).toString('base64url'),
  ])
    expect((await download(`/files?id=${id}`)).status).toBe(404);
});

/** An upload whose body never comes. */
async function beginSlowUpload(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += String(chunk);
  });
  const head = [`POST /files?on=${encodeURIComponent(onOrder)} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${ann}`];
  socket.write(`${[...head, 'Content-Type: image/png', 'Content-Length: 1000'].join('\r\n')}\r\n\r\n`);
  return { closed, answer: () => answer };
}

test('a slow upload blocks a second upload of the same operator, is cut off in time, and then the next upload succeeds', async () => {
  const url = await api.serve({ http: { requestMs: 1_500 } });
  let slow = await beginSlowUpload(url);
  const second = async () => {
    // If the second one was faster, the slow one was refused. Then it begins again.
    if (slow.answer() !== '') slow = await beginSlowUpload(url);
    return (await upload(aPng('second'), { url })).status;
  };
  await expect.poll(second, { timeout: 20_000 }).toBe(429);
  await slow.closed;
  expect(slow.answer()).toMatch(/^HTTP\/1\.1 408 /);
  await expect.poll(async () => (await upload(aPng('second'), { url })).status, { timeout: 20_000 }).toBe(201);
});

test('a caller without a token is refused before the file is read', async () => {
  const { port } = new URL(api.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`POST /files?on=x HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: ${largest}\r\n\r\n`);
  const [chunk] = await once(socket, 'data');
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 401 /);
  await once(socket, 'close');
});
