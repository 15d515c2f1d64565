import { maxWatchHours, UnusableSettings } from '@tidegate/domain/channels';
import { expect, test } from 'vitest';
import { adaptersFor } from './index.ts';
import { memoryOfOneProcess, withoutLimit } from './testing/channel-tools.ts';

// What adapters say about settings that they cannot use.

const adapters = Object.entries(adaptersFor({ environment: 'sandbox', allowCidrs: [], limiter: withoutLimit }));

function problemsOf(open: () => unknown): readonly { path: string; reason: string }[] {
  try {
    open();
  } catch (error) {
    if (error instanceof UnusableSettings) return error.problems;
    throw error;
  }
  return [];
}

const settings = (baseUrl: string, credentials: Record<string, string>) => ({
  channelId: 'c',
  baseUrl,
  credentials,
  memory: memoryOfOneProcess(),
});

test.each(adapters)('%s names each missing setting: the address and the required credentials', (_, adapter) => {
  const problems = problemsOf(() => adapter.open(settings('ftp://127.0.0.1', {})));
  const required = adapter.credentials.filter(({ isRequired }) => isRequired).map(({ name }) => `credentials.${name}`);
  expect(problems.map(({ path }) => path).toSorted()).toEqual(['baseUrl', ...required].toSorted());
  expect(problems.filter(({ path }) => path !== 'baseUrl').map(({ reason }) => reason)).toEqual(
    required.map(() => 'is missing'),
  );
});

test.each(adapters)(
  '%s: each credential has a purpose, and what the REST adapter gets is enough to open the channel',
  (_, adapter) => {
    for (const { name, purposes } of adapter.credentials) {
      expect([name, purposes.length > 0, new Set(purposes).size]).toEqual([name, true, purposes.length]);
      for (const purpose of purposes) expect(['payin', 'callback', 'payout', 'statement']).toContain(purpose);
    }
    const isForRest = (purpose: string) => ['payin', 'callback'].includes(purpose);
    const missing = adapter.credentials.filter(({ isRequired, purposes }) => isRequired && !purposes.some(isForRest));
    expect(missing).toEqual([]);
    // What can pay out or refund by itself is not among it.
    const secretsForMoneyOut = adapter.credentials.filter(
      ({ name, isSecret }) => isSecret && /payoutKey|mpin/i.test(name),
    );
    expect(secretsForMoneyOut.filter(({ purposes }) => purposes.some(isForRest))).toEqual([]);
  },
);

test.each(adapters)('%s repeats no entered value in its problems, and its problems name known fields', (_, adapter) => {
  const entered = Object.fromEntries(adapter.credentials.map(({ name }) => [name, 'HUSH/hush '.repeat(700)]));
  const problems = problemsOf(() => adapter.open(settings('ftp://hush', entered)));
  expect(JSON.stringify(problems)).not.toMatch(/hush/i);
  const names = adapter.credentials.map(({ name }) => `credentials.${name}`);
  expect(problems.length).toBeGreaterThan(1);
  for (const { path, reason } of problems) {
    expect(['baseUrl', ...names]).toContain(path);
    expect(reason).toMatch(/^(is|must|goes) [^.]{3,90}$/);
  }
});

test.each(adapters)('%s accepts each choice that it offers, and no other', (_, adapter) => {
  for (const { name, choices } of adapter.credentials) {
    const isRefused = (value: string) =>
      problemsOf(() => adapter.open(settings('https://c.example', { [name]: value }))).some(
        ({ path }) => path === `credentials.${name}`,
      );
    for (const choice of choices ?? []) expect([name, choice, isRefused(choice)]).toEqual([name, choice, false]);
    if (choices) expect([name, isRefused('another')]).toEqual([name, true]);
  }
});

test.each(adapters)(
  '%s: the declared watches have few queries, in order, within a month, and one plan for each kind of end',
  (_, { watchesEnded = [] }) => {
    const plans = watchesEnded.map(({ kind, ended }) => `${kind} ${ended}`);
    expect(new Set(plans)).toHaveLength(plans.length);
    for (const { afterHours } of watchesEnded) {
      expect(afterHours.length).toBeGreaterThan(0);
      expect(afterHours.length).toBeLessThanOrEqual(8);
      expect(afterHours.toSorted((a, b) => a - b)).toEqual(afterHours);
      expect((afterHours[0] ?? 0) > 0 && (afterHours.at(-1) ?? 0) <= maxWatchHours).toBe(true);
    }
  },
);

test('providers whose outcomes can change after the end declare a watch', () => {
  const watching = adapters.filter(([, { watchesEnded = [] }]) => watchesEnded.length > 0).map(([name]) => name);
  expect(watching).toEqual(['alipay', 'jazzcash', 'opn', 'razorpay', 'sandbox']);
});

test.each([
  [{ name: 'Asha Rao' }, '100.00', null],
  [{ name: 'José' }, '100.00', 'name has the character "é" (U+00E9)'],
  [{ name: 'आशा' }, '100.00', 'name has the character "आ" (U+0906)'],
  [{ name: 'Al' }, '100.00', 'name must have 3 to 50 characters'],
  [{ name: 'Asha Rao -' }, '100.00', 'name must end with'],
  [{ name: 'Asha Rao', ifsc: 'X' }, '100.00', 'ifsc is missing or not an IFSC'],
  [{ name: 'Asha Rao', account: 'asha@bank' }, '100000.00', 'amount must be below 100000.00'],
])('Razorpay says before a payout is sent what it cannot carry: %o, %s', (party, amount, problem) => {
  const razorpay = adapters.find(([name]) => name === 'razorpay')?.[1];
  const whole = { account: '50100012345678', ifsc: 'HDFC0001234', ...party };
  const found = razorpay?.problemOfPayee?.({ party: whole, amount, currency: 'INR' }) ?? null;
  expect(found && `${found.field} ${found.reason}`).toEqual(problem === null ? null : expect.stringContaining(problem));
});
