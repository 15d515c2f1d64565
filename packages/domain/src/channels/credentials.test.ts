import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { approve } from '../approvals/approve.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import type { Work } from '../core/queued-work.ts';
import { type CredentialPurpose, credentialPurposes, type ProcessKind } from '../database/keys/purposes.ts';
import { refreshOrder } from '../orders/refresh-order.ts';
import { answerQuestions, submitOrder } from '../orders/work-on-order.ts';
import { offeredFormats } from '../reconciliation/fetching/offered-formats.ts';
import { bareAdapter } from '../testing/bare-adapter.ts';
import { FakeChannel } from '../testing/fake-channel.ts';
import { testKeysOf } from '../testing/keys.ts';
import { makeDue, openTestDomain, orderNow, type TestDomain } from '../testing/open-test-domain.ts';
import { anOperator } from '../testing/operators.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { canRefund } from './call-refund.ts';
import type { ChannelAdapter } from './channel-adapter.ts';
import { openChannelQuestions } from './channel-questions.ts';
import { loadCredentialNames, placeOf } from './credentials.ts';
import { setChannel } from './set-channel.ts';

// Processes with only the keys of their kind.

let url = '';
/** The credentials with which each process has opened the channel `bank`. */
const given = new Map<ProcessKind, Record<string, string>>();
const processes = {} as Record<'rest' | 'api' | 'worker', TestDomain>;

const field = (name: string, purposes: ChannelAdapter['credentials'][number]['purposes']) =>
  ({ name, label: name, isSecret: true, isRequired: false, purposes, help: 'For tests.' }) as const;

function bankOf(process: ProcessKind): ChannelAdapter {
  return {
    ...bareAdapter(({ credentials }) => {
      given.set(process, credentials);
      if (credentials.payoutKey === undefined) throw new Error('no payoutKey');
      return new FakeChannel();
    }),
    offers: (names) => ({
      refunds: names.includes('payoutKey'),
      statements: names.includes('reportKey') ? ['days'] : [],
    }),
    credentials: [
      field('apiKey', ['payin', 'payout']),
      field('hookSecret', ['callback']),
      field('payoutKey', ['payout']),
      field('reportKey', ['statement']),
    ],
  };
}

const all = { apiKey: 'api-hush', hookSecret: 'hook-hush', payoutKey: 'payout-hush', reportKey: 'report-hush' };

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  const open = async (process: 'rest' | 'api' | 'worker', hasChannel: boolean) => {
    const adapters = { bank: bankOf(process) };
    const wakeUp = (works: Work[]) => {
      const asked = works.filter((work) => 'isQuestion' in work);
      for (const work of asked) if ('orderNo' in work) void answerQuestions(processes.worker.domain, work);
    };
    processes[process] = await openTestDomain(url, { adapters, wakeUp, keys: testKeysOf(process), hasChannel });
  };
  await open('api', false);
  await open('rest', true);
  await open('worker', true);
});
afterAll(async () => {
  for (const { close } of Object.values(processes)) await close();
});

const everyProcess = ['api', 'rest', 'worker'] as const;

async function givenTo(process: ProcessKind): Promise<Record<string, string> | undefined> {
  given.delete(process);
  await (processes as Record<string, TestDomain>)[process]?.domain.channels('bank');
  return given.get(process);
}

test('the API enters credentials, and each process opens those of its purposes', async () => {
  const { domain } = processes.api;
  const [ann, bob] = [await anOperator(domain, ['admin']), await anOperator(domain, ['admin'])];
  const input = { channelId: 'bank', adapter: 'bank', baseUrl: 'http://bank.test', credentials: all };
  const requested = await requestOperation(domain, ann, 'setChannel', input, 'a test');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  const { approvalId } = requested.approval;

  // While they wait, they are sealed for their channel. The API opens no more than that.
  const { rows } = await domain.database.pool.query('select secrets from approval where approval_id = $1', [
    approvalId,
  ]);
  const waiting = domain.vault.open('approval', approvalId, rows[0].secrets);
  expect(Object.keys(JSON.parse(waiting).credentials)).toEqual(Object.keys(all));
  expect(waiting).not.toContain('hush');

  expect(await approve(domain, bob, approvalId)).toMatchObject({ ok: true });
  expect(await givenTo('api')).toEqual({});
  expect(await givenTo('rest')).toEqual({ apiKey: 'api-hush', hookSecret: 'hook-hush' });
  expect(await givenTo('worker')).toEqual(all);
  const [names] = await loadCredentialNames(domain, ['bank']);
  expect(names?.map(({ name }) => name)).toEqual(['apiKey', 'hookSecret', 'payoutKey', 'reportKey']);
});

test('a process that cannot open credentials offers the same to operators as one that can', async () => {
  for (const process of everyProcess) {
    const { domain } = processes[process];
    expect(await canRefund(domain, 'bank')).toBe(true);
    expect(await offeredFormats(domain, 'bank')).toEqual(['days']);
  }
});

test('credentials that are not named are kept by a process that cannot open them', async () => {
  const { domain } = processes.api;
  const change = { channelId: 'bank', adapter: 'bank', removedCredentials: ['reportKey'], keepsCredentials: true };
  await setChannel(domain, { ...change, credentials: { payoutKey: 'another-hush' } });
  await vi.waitFor(async () => {
    const { reportKey: _, ...kept } = all;
    for (const process of everyProcess) await processes[process].domain.channels('bank');
    expect(given.get('worker')).toEqual({ ...kept, payoutKey: 'another-hush' });
  }, 10_000);
});

test('with all that its role and keys give it, the REST adapter opens no credential for payouts', async () => {
  const { domain } = processes.worker;
  const { rows } = await domain.database.pool.query(
    `select name, payin, callback, payout, statement from channel_credential where channel_id = 'bank'`,
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { name, ...boxes } of rows)
    for (const [purpose, box] of Object.entries(boxes)) {
      if (box === null) continue;
      const opened = everyProcess.filter((process) =>
        isOpened(process, purpose as CredentialPurpose, name, box as Buffer),
      );
      expect([purpose, opened]).toEqual([
        purpose,
        ['payin', 'callback'].includes(purpose) ? ['rest', 'worker'] : ['worker'],
      ]);
    }
});

/** Whether any place of a credential opens it, with the keys of this process. */
function isOpened(process: 'rest' | 'api' | 'worker', purpose: CredentialPurpose, name: string, box: Buffer): boolean {
  const { vault } = processes[process].domain;
  return credentialPurposes.some((tried) => {
    try {
      return vault.open(placeOf[tried], `bank/${name}`, box).includes('hush') && tried === purpose;
    } catch {
      return false;
    }
  });
}

test('a sealed credential that is moved to another channel, name or purpose does not open', async () => {
  const { pool } = processes.worker.domain.database;
  const { vault } = processes.worker.domain;
  const { rows } = await pool.query(
    `select payin, payout from channel_credential where channel_id = 'bank' and name = 'apiKey'`,
  );
  expect(vault.open('payinCredential', 'bank/apiKey', rows[0].payin)).toBe('api-hush');
  expect(() => vault.open('payinCredential', 'other/apiKey', rows[0].payin)).toThrow();
  expect(() => vault.open('payinCredential', 'bank/payoutKey', rows[0].payin)).toThrow();
  expect(() => vault.open('payoutCredential', 'bank/apiKey', rows[0].payin)).toThrow();
});

test('a credential that the adapter does not declare is not stored, because no process could open it', async () => {
  const { domain } = processes.api;
  const channel = { channelId: 'bank2', adapter: 'bank', baseUrl: 'http://b.test', credentials: { unknown: 'hush' } };
  await expect(setChannel(domain, channel)).rejects.toThrow('declares no purpose of the credential unknown');
});

test.each(['api', 'rest'] as const)('%s asks a worker to query a payout, and books its answer', async (process) => {
  const { domain } = processes[process];
  const { merchantId } = await aFundedMerchant(processes.api.domain, 'IN');
  const order = await placePayout(processes.api.domain, merchantId, 'IN');
  await makeDue(processes.worker.domain, order);
  await submitOrder(processes.worker.domain, order);
  processes.worker.channel.answers.query = {
    outcome: 'paid',
    payments: [{ reference: `P-${process}`, amount: '100.00' }],
  };
  processes.worker.channel.calls.length = 0;
  processes[process].channel.calls.length = 0;
  const done = await refreshOrder(domain, await orderNow(domain, order), {
    actor: 'ann',
    approver: null,
    reason: 'a test',
  });
  expect(done).toMatchObject({ ok: true, value: { status: 'completed' } });
  expect(processes.worker.channel.calls).toEqual([{ operation: 'query', orderNo: order.orderNo }]);
  expect(processes[process].channel.calls).toEqual([]);
  const { rows } = await domain.database.pool.query('select from channel_question');
  expect(rows).toEqual([]);
});

test('without a worker the asker gets no answer, and the order stays as it is', async () => {
  const { domain } = processes.api;
  const { merchantId } = await aFundedMerchant(domain, 'IN');
  const order = await placePayout(domain, merchantId, 'IN');
  const question = { ...order, operation: 'query' } as const;
  const alone = openChannelQuestions(domain.database, domain.vault, () => undefined);
  expect(await alone.ask(question, AbortSignal.timeout(300))).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  expect(await orderNow(domain, order)).toEqual(order);
});
