import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';
import { type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

// Real processes send their traces to a collector. All spans of an order are one trace, whatever process made them.

let sandbox: RunningSandbox;
let collector: Awaited<ReturnType<typeof startOtlpReceiver>>;
beforeAll(async () => {
  collector = await startOtlpReceiver();
  sandbox = await startSandbox({ otlpEndpoint: collector.url });
}, 180_000);
afterAll(async () => {
  await sandbox?.stop();
  collector?.close();
}, 60_000);

const people = { name: 'Zebulon Quatermain', account: '50100098765432', mobile: '9812345670' };
const key = 'sesame-of-the-shop';

async function create(country: string, kind: 'payin' | 'payout', fields: object): Promise<string> {
  const { merchants, restUrl, receiverUrl } = sandbox.file;
  const merchant = merchants.find((one) => one.country === country);
  if (!merchant) throw new Error(`no merchant of ${country}`);
  const notifyUrl = `${receiverUrl}/notify/${merchant.merchantNo}?key=${key}`;
  const body = { merchantOrderNo: `M-${kind}`, countryCode: country, amount: '10.00', notifyUrl, ...fields };
  const { code, data } = await merchantClient(restUrl, merchant.merchantNo, merchant.privateKeyPem).post(
    `/${kind}/create`,
    body,
  );
  expect(code).toBe(0);
  return String(data?.orderNo);
}

const ofOrder = (orderNo: string) =>
  collector.spans.filter(({ attributes }) => attributes['tidegate.order_no'] === orderNo);

/**
 * Everything from the request to the notification, once the collector has it. Each process sends its spans by itself, so
 * a span may come before its parent.
 */
async function traceOf(orderNo: string): Promise<ReceivedSpan[]> {
  const whole = async () => {
    const spans = ofOrder(orderNo);
    const known = new Set(['', ...spans.map(({ spanId }) => spanId)]);
    return (
      spans.some(({ name }) => name === 'job notify') && spans.every(({ parentSpanId }) => known.has(parentSpanId))
    );
  };
  await waitUntil(`the trace of ${orderNo}`, whole, { timeoutMs: 40_000 });
  return ofOrder(orderNo);
}

/** Each span below its parent, by their names. */
const edgesOf = (spans: ReceivedSpan[]): string[] => {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  return [
    ...new Set(
      spans.map(({ name, parentSpanId }) => `${parentSpanId === '' ? '-' : byId.get(parentSpanId)?.name} > ${name}`),
    ),
  ].sort();
};

/** The spans of both kinds of orders, below the span that wrote them to the ledger. */
const story = (begin: string) => [
  `${begin} > callback`,
  `${begin} > queue submit`,
  'callback > commit applyReport',
  'commit applyReport > queue notify',
  'job notify > deliver notification',
  'job submit > channel create',
  'job submit > commit applyReport',
  'job submit > commit claimWork',
  'queue notify > job notify',
  'queue submit > job submit',
];

const payer = { currency: 'CNY', metadata: { payerName: people.name, payerMobile: people.mobile } };
const payee = {
  currency: 'INR',
  receiverName: people.name,
  receiverAccount: people.account,
  metadata: { ifsc: 'HDFC0001234' },
};

test.each([
  ['CN', 'payin', payer, 'commit createPayin'],
  ['IN', 'payout', payee, 'commit createPayout'],
] as const)(
  'a %s of %s has one trace from the request through ledger writer, queue, worker and channel to the notification',
  {
    timeout: 90_000,
  },
  async (country, kind, fields, begin) => {
    const orderNo = await create(country, kind, fields);
    const spans = await traceOf(orderNo);
    const request = `POST /api/v1/merchant/${kind}/create`;
    expect(edgesOf(spans)).toEqual([`- > ${request}`, `${request} > ${begin}`, ...story(begin)].sort());
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);

    const at = (name: string): ReceivedSpan => spans.find((span) => span.name === name) as ReceivedSpan;
    const services = [request, begin, 'job submit', 'channel create', 'callback', 'deliver notification'].map(
      (name) => at(name).service,
    );
    const [rest, worker] = ['tidegate-rest-adapter', 'tidegate-worker'];
    expect(services).toEqual([rest, rest, worker, worker, rest, worker]);
    expect(at('channel create').attributes).toMatchObject({ 'tidegate.outcome': 'accepted' });
    expect(at('deliver notification').attributes).toMatchObject({ 'http.response.status_code': 200 });
    expect(at('callback').links).toHaveLength(1);
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    for (const { name, startMs, endMs, parentSpanId } of spans) {
      expect(endMs, name).toBeGreaterThanOrEqual(startMs);
      expect(startMs, name).toBeGreaterThanOrEqual(Math.floor(byId.get(parentSpanId)?.startMs ?? 0));
    }
  },
);

test('spans have no personal data and no secrets', () => {
  expect(collector.spans.length).toBeGreaterThan(20);
  const received = JSON.stringify(collector.spans);
  const { merchants, adminToken } = sandbox.file;
  const secret = [
    ...Object.values(people),
    key,
    'HDFC0001234',
    adminToken,
    '/notify/',
    ...merchants.map((one) => one.privateKeyPem),
  ];
  expect(secret.filter((text) => received.includes(text))).toEqual([]);
});

test('each log line of traced work has its trace id, in every process', async () => {
  const orderNo = await create('IN', 'payout', { ...payee, merchantOrderNo: 'M-logged' });
  const [{ traceId = '' } = {}] = await traceOf(orderNo);
  const lines = sandbox
    .logs()
    .split('\n')
    .flatMap((line) => (line.includes(orderNo) && line.startsWith('{') ? [JSON.parse(line)] : []));
  const received = lines.map((line) => [line.name, line.msg, line.queue ?? '', line.traceId]);
  expect(received).toEqual(
    expect.arrayContaining([
      ['rest-adapter', 'request', '', traceId],
      ['worker', 'job', 'submit', traceId],
      ['worker', 'notification', '', traceId],
    ]),
  );
}, 60_000);
