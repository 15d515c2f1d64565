import { readFileSync } from 'node:fs';
import { aCycle, aFundedMerchant, moveEntriesTo, runSettlements } from '@tidegate/domain/testing';
import type { AdminFixture } from './admin-fixture.ts';
import { type Try, withBob } from './tries.ts';

/** Sets a cycle to the account in a file, and drafts. */
export const cycles = (account: string): Try[] => [
  {
    args: ['set-settlement-cycle', '$settled', '--begins-on', '2026-11-01', '--account-file', account],
    env: withBob,
    gives: { workingDays: 1, minimum: '0.00' },
  },
  { args: ['set-settlement-cycle', 'NEW-9'], env: withBob, refused: /no such merchant/ },
  { args: ['draft-settlements', 'PK', '--day', '2026-11-11'], gives: { day: '2026-11-11', failed: [] } },
  { args: ['draft-settlements', 'PK', '--day', '2025-12-31'], refused: /the holidays of that year are not known/ },
];

/** What follows the draft of this number. */
export function settlementSteps(settlementNo: string): Try[] {
  const steps: [command: string, more: string[], state: string][] = [
    ['approve-settlement', [], 'approved'],
    ['pay-settlement', ['--reference', 'R-1'], 'paid'],
    ['confirm-settlement', ['--reference', 'R-2'], 'confirmed'],
    ['fail-settlement', ['--detail', 'account closed'], 'failed'],
  ];
  return [
    ...steps.flatMap(([command, more, state]): Try[] => [
      { args: [command, '$settled', settlementNo, ...more], env: withBob, gives: { state, amount: '500.00' } },
      { args: [command, '$settled', 'STNONE000001', ...more], env: withBob, refused: /no such settlement/ },
    ]),
    { args: ['remove-settlement-cycle', '$settled'], gives: { merchantNo: '$settled' } },
    { args: ['remove-settlement-cycle', '$settled'], refused: /no settlement cycle/ },
  ];
}

interface Trying {
  attempt(one: Try): Promise<void>;
  known: Record<string, string>;
}

/** Pays the settlement of a new merchant by a bank file, from the account in a file, and that of another one through its channel. */
export async function payByFileAndChannel(
  fixture: Pick<AdminFixture, 'domain' | 'path'>,
  account: string,
  trying: Trying,
): Promise<void> {
  await payByFile(fixture, account, trying);
  await payByChannel(fixture, trying);
}

/** Puts the settlement of a new merchant into a bank file, and saves it. */
async function payByFile(
  { domain, path }: Pick<AdminFixture, 'domain' | 'path'>,
  account: string,
  { attempt, known }: Trying,
): Promise<void> {
  const { merchantId } = await aFundedMerchant(domain, 'PK', '70.00');
  known.filed = merchantId;
  await moveEntriesTo(domain, merchantId, '2026-11-10T05:00:00Z');
  await aCycle(domain, merchantId);
  const [settlementNo = ''] = await runSettlements(domain, 'PK', '2026-11-11');
  const saved = path('bank-file.xml');
  const create = { args: ['create-settlement-file', 'PK', '--account-file', account], env: withBob };
  const save = ['save-settlement-file', 'SFPK000001', saved];
  const steps: Try[] = [
    { ...create, refused: /nothing to settle/ },
    { args: save, refused: /no such bank file/ },
    { args: ['approve-settlement', '$filed', settlementNo], env: withBob, gives: { state: 'approved' } },
    { ...create, gives: { fileNo: 'SFPK000001', settlements: 1, total: '70.00' } },
    { args: save, gives: { total: '70.00' } },
    { args: save, refused: /it exists already/ },
  ];
  for (const one of steps) await attempt(one);
  if (!readFileSync(saved, 'utf8').includes(`<EndToEndId>${settlementNo}</EndToEndId>`))
    throw new Error('it is not paid');
}

/** Sends the settlement of a new merchant to its channel. */
async function payByChannel({ domain }: Pick<AdminFixture, 'domain'>, { attempt, known }: Trying): Promise<void> {
  const { merchantId } = await aFundedMerchant(domain, 'IN', '70.00');
  known.sent = merchantId;
  await moveEntriesTo(domain, merchantId, '2026-11-10T05:00:00Z');
  await aCycle(domain, merchantId);
  const [settlementNo = ''] = await runSettlements(domain, 'IN', '2026-11-11');
  const send = ['send-settlement', '$sent', settlementNo];
  const steps: Try[] = [
    { args: send, refused: /not|state|possible/ },
    { args: ['approve-settlement', '$sent', settlementNo], env: withBob, gives: { state: 'approved' } },
    { args: [...send, '--channel-id', 'nowhere'], refused: /channel/ },
    { args: send, gives: { state: 'paid', amount: '70.00' } },
  ];
  for (const one of steps) await attempt(one);
}
