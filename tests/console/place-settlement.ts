import { openVault } from '../../packages/domain/src/database/vault.ts';
import { keepSecrets } from '../../tools/sandbox/src/data-dir.ts';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import type { SandboxFile } from '../../tools/sandbox/src/sandbox-file.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { settlementLineSql } from '../settlement-line.ts';
import { approveAll } from './work-page.ts';

// Settlements for tests and pictures of the console. What came into a wallet today is due on a later day.

/** A working day of every country that is over. */
export const runDay = '2026-11-20';

/** Sets a merchant's cycle as two operators, to a bank account that does not exist. */
export async function placeCycle(file: SandboxFile, merchantId: string): Promise<void> {
  const account = { holder: 'Lotus Trading', number: 'PK36 SCBL 0000 0011 2345 6702', bank: 'SCBLPKKX' };
  const input = { merchantId, workingDays: 1, minimum: '100.00', keep: '250.00', beginsOn: '2026-11-01', account };
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  await ask.mutate('setSettlementCycle', 'SetSettlementCycleInput', { input, reason: 'Contract 7' });
  await approveAll(file, merchantId);
}

/** Drafts the settlements that are due in the country of a merchant. */
export async function draftSettlements(file: SandboxFile, country: string): Promise<void> {
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  const input = { country, day: runDay };
  await ask.mutate('draftSettlements', 'DraftSettlementsInput', { input, reason: 'Daily run' });
}

/** Lets the draft of a merchant settle what came today, as if its days were over and closed. Waits for the draft. Resolves to its number. */
export async function letTodayCount({ databaseUrl }: SandboxFile, merchantId: string): Promise<string> {
  const change = (): Promise<{ settlementNo: string }[]> =>
    queryDatabase(
      databaseUrl,
      `update settlement s set pending = 0, closing = w.available, amount = w.available - s.keep,
       sums = jsonb_build_array(jsonb_build_object('kind', 'top_ups', 'amount', w.available::text, 'count', 1)),
       settled_days = '{"": "2100-01-01"}'
     from wallet w where s.merchant_id = $1 and w.merchant_id = $1 and s.state = 'draft' returning s.settlement_no as "settlementNo"`,
      [merchantId],
    );
  let settlementNo = '';
  const isChanged = async (): Promise<boolean> => {
    settlementNo = (await change())[0]?.settlementNo ?? '';
    return settlementNo !== '';
  };
  await waitUntil(`a draft of ${merchantId}`, isChanged, { timeoutMs: 60_000 });
  return settlementNo;
}

/** Approves drafted settlements, one of each merchant, and puts them into a bank file: two operators agree to both. */
export async function payByFile(
  file: SandboxFile,
  country: string,
  merchantIds: readonly string[],
  settlementNos: readonly string[],
): Promise<void> {
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  for (const [i, merchantId] of merchantIds.entries()) {
    const input = { merchantId, settlementNo: settlementNos[i] };
    await ask.mutate('approveSettlement', 'ApproveSettlementInput', { input, reason: 'The days are closed' });
    await approveAll(file, merchantId);
  }
  const account = { holder: 'Tidegate', number: 'PK36 SCBL 0000 0099 9999 9999', bank: 'SCBLPKKX' };
  const input = { country, account };
  await ask.mutate('createSettlementFile', 'CreateSettlementFileInput', { input, reason: 'Daily payments' });
  await approveAll(file, `PLATFORM-${country}`);
}

/**
 * Stores a line of a bank's statement that shows the payment of a settlement. The worker confirms it. Resolves to the number of the statement. Where
 * no bank file was created before, it makes an account of ours known.
 */
export async function showPayment(
  { file: { databaseUrl }, dataDir }: SharedSandbox,
  settlementNo: string,
): Promise<number> {
  const account = { holder: 'Tidegate', number: 'PK36 SCBL 0000 0099 9999 9999', bank: 'SCBLPKKX' };
  const accountId = 'of a test';
  const sealed = openVault(keepSecrets(dataDir).keys).seal('account', accountId, JSON.stringify(account));
  await queryDatabase(
    databaseUrl,
    `insert into settlement_account (merchant_id, account_id, sealed, ending)
     select 'PLATFORM-' || m.country, $2, $3, '9999' from settlement s join merchant m using (merchant_id) where s.settlement_no = $1
       and not exists (select from settlement_account a where a.merchant_id = 'PLATFORM-' || m.country)`,
    [settlementNo, accountId, sealed],
  );
  const [file] = await queryDatabase<{ fileNo: number }>(databaseUrl, settlementLineSql(settlementNo, 'out'));
  if (!file) throw new Error(`there is no settlement ${settlementNo}`);
  return file.fileNo;
}
