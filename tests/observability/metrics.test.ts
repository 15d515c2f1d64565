import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countryDefinitions } from '../../packages/domain/src/index.ts';
import { catalogue, type MetricName } from '../../packages/process/src/metrics/catalogue.ts';
import { describeMetrics } from '../../packages/process/src/metrics/describe-metrics.ts';
import type { ProcessName } from '../../packages/process/src/metrics/metric-facts.ts';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';
import { type Exposition, familyOf, scrape } from './exposition.ts';
import { metricsOf, readAlerts, readDashboard } from './queried-metrics.ts';

// Compares /metrics of running processes, after some real orders, with the catalogue and the docs.

let sandbox: RunningSandbox;
const answers = new Map<ProcessName, Exposition>();
beforeAll(async () => {
  sandbox = await startSandbox({ scale: 0.05 });
  const { restUrl, graphqlUrl, workerUrl } = sandbox.file;
  await orders();
  await fetch(graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ x }"}',
  });
  // A process repeats its last answer for a while, and reads Redis for some of its figures.
  const isComplete = async (): Promise<boolean> => {
    answers.set('rest-adapter', await scrape(restUrl));
    answers.set('api', await scrape(new URL(graphqlUrl).origin));
    answers.set('worker', await scrape(workerUrl));
    const samples = [...answers.values()].flatMap((one) => one.samples.map((sample) => familyOf(sample, one)));
    return names.every((name) => withoutValue.includes(name) || samples.includes(name));
  };
  // The tests below say what is missing.
  await waitUntil('every metric has a value', isComplete, { timeoutMs: 30_000 }).catch(() => undefined);
}, 180_000);
afterAll(() => sandbox?.stop(), 60_000);

/** Payins that are paid, a payout that is paid, one payin that stays open; waits until all notifications are delivered. */
async function orders(): Promise<void> {
  const { merchants, restUrl, receiverUrl, workerUrl } = sandbox.file;
  const clientOf = (country: string) => {
    const found = merchants.find((one) => one.country === country);
    if (!found) throw new Error(`no merchant of ${country}`);
    return { ...merchantClient(restUrl, found.merchantNo, found.privateKeyPem), merchantNo: found.merchantNo };
  };
  const [cn, india] = [clientOf('CN'), clientOf('IN')];
  const notifyUrl = (merchantNo: string) => `${receiverUrl}/notify/${merchantNo}`;
  const payin = (amount: string) => ({
    merchantOrderNo: `M-${amount}`,
    countryCode: 'CN',
    currency: 'CNY',
    amount,
    notifyUrl: notifyUrl(cn.merchantNo),
  });
  const payout = {
    merchantOrderNo: 'M-OUT',
    countryCode: 'IN',
    currency: 'INR',
    amount: '10.00',
    receiverName: 'A Person',
    receiverAccount: '50100098765432',
    metadata: { ifsc: 'HDFC0001234' },
    notifyUrl: notifyUrl(india.merchantNo),
  };
  const indianPayin = countryDefinitions.find(({ code }) => code === 'IN')?.demo.payin ?? (() => ({}));
  for (const answer of [
    await cn.post('/payin/create', payin('10.00')),
    await cn.post('/payin/create', payin('10.23')),
    await india.post('/payout/create', payout),
    // This one is submitted within the request: it takes a slot of its channel.
    await india.post('/payin/create', { merchantOrderNo: 'M-IN', ...indianPayin(notifyUrl(india.merchantNo)) }),
  ])
    expect(answer).toMatchObject({ code: 0 });
  const delivered = async () =>
    (await scrape(workerUrl)).samples.some(
      ({ name, labels, value }) =>
        name === 'tidegate_notifications_total' && labels.outcome === 'delivered' && value >= 2,
    );
  await waitUntil('both merchants notified', delivered, { timeoutMs: 60_000 });
}

/**
 * These have no value. No broken request, no wrong callback and no unreadable message is sent here, and no handler fails.
 * No channel is refused, has a forbidden address or a certificate, and none watches ended orders. There is no replica. No statement is imported, no merchant has a settlement cycle, and no month is sealed.
 */
const withoutValue: readonly string[] = [
  'tidegate_channel_callbacks_unusable_total',
  'tidegate_channel_credential_expiry_timestamp_seconds',
  'tidegate_channel_forbidden_total',
  'tidegate_channel_refused',
  'tidegate_data_rejected_total',
  'tidegate_ended_orders_oldest_due_seconds',
  'tidegate_handler_failures_total',
  'tidegate_http_broken_requests_total',
  'tidegate_reads_total',
  'tidegate_seals_verified_timestamp_seconds',
  'tidegate_settlement_drafts_missing',
  'tidegate_settlement_holidays_unannounced',
  'tidegate_statements_missing',
  'tidegate_unreconciled_age_seconds',
  'tidegate_unreconciled_amount',
];

const names = Object.keys(catalogue) as MetricName[];
const ownersOf = (name: MetricName): readonly ProcessName[] => catalogue[name].of;
const labelsOf = (name: MetricName): readonly string[] => catalogue[name].labels;

test.each(['rest-adapter', 'api', 'worker'] as const)('%s answers exactly the metrics of the catalogue', (process) => {
  const { families } = answers.get(process) as Exposition;
  const answered = [...families].filter(([name]) => name.startsWith('tidegate_'));
  const wanted = names.filter((name) => ownersOf(name).includes(process));
  expect(Object.fromEntries(answered)).toEqual(
    Object.fromEntries(wanted.map((name) => [name, { type: catalogue[name].type, help: catalogue[name].help }])),
  );
  expect(families.has('process_resident_memory_bytes')).toBe(true);
});

test('every metric has a value after its event happened, with exactly its labels', () => {
  const seen = new Map<string, Set<string>>();
  for (const exposition of answers.values()) {
    for (const sample of exposition.samples.filter(({ name }) => name.startsWith('tidegate_'))) {
      const family = familyOf(sample, exposition);
      const labels = seen.get(family) ?? new Set();
      seen.set(
        family,
        labels.add(
          Object.keys(sample.labels)
            .filter((label) => label !== 'le')
            .sort()
            .join(),
        ),
      );
    }
  }
  const received = names.filter((name) => !withoutValue.includes(name));
  expect(Object.fromEntries([...seen].map(([name, labels]) => [name, [...labels]]))).toEqual(
    Object.fromEntries(received.map((name) => [name, [labelsOf(name).toSorted().join()]])),
  );
});

test('every query of alerts and dashboard has data in running processes', () => {
  const samples = new Set([...answers.values()].flatMap((exposition) => exposition.samples.map(({ name }) => name)));
  const queries = [
    ...readAlerts().map(({ expr }) => expr),
    ...readDashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ].flatMap((expr) => metricsOf(expr).map(({ name }) => name));
  // Prometheus makes `up` itself.
  const elsewhere = ['up', ...withoutValue];
  expect(new Set(queries.filter((name) => !samples.has(name) && !elsewhere.includes(name)))).toEqual(new Set());
  expect(queries.length).toBeGreaterThan(60);
});

test('no label names a merchant, an order or a path', () => {
  const values = [...answers.values()].flatMap(({ samples }) => samples.flatMap(({ labels }) => Object.values(labels)));
  expect(values.length).toBeGreaterThan(300);
  const revealing = sandbox.file.merchants.map(({ merchantNo }) => merchantNo).concat('127.0.0.1', 'localhost');
  expect(values.filter((value) => /P[IO][0-9A-Z]{20}|M-/.test(value) || revealing.includes(value))).toEqual([]);
});

test('metric names follow the rules of Prometheus: counters end with _total, and units are base units', () => {
  expect(names.filter((name) => (catalogue[name].type === 'counter') !== name.endsWith('_total'))).toEqual([]);
  expect(names.filter((name) => /_(ms|milliseconds|minutes|percent|kb|mb)(_|$)/.test(name))).toEqual([]);
  expect(names.filter((name) => !/^tidegate_[a-z_]+[a-z]$/.test(name))).toEqual([]);
});

test('docs/running/metrics.md equals the catalogue', () => {
  const file = readFileSync(new URL('../../docs/running/metrics.md', import.meta.url), 'utf8');
  expect(file, 'write it anew: npm run metrics in packages/process').toBe(describeMetrics());
});
