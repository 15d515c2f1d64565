import { fitOfAccounts } from '../../core/account-number.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import type { VaultAccess } from '../../database/vault.ts';
import type { ChangeTransaction } from '../../ledger/index.ts';
import { openAccount } from '../set-cycle.ts';
import type { OwnAccounts } from './decide-account.ts';
import { mostParts, type Named, type NamedBreak, type NamedSettlement } from './decide-proof.ts';
import {
  channelAccountsSql,
  namedFileSql,
  othersSql,
  payersSql,
  settlementOfPaymentSql,
  settlementsOfFileSql,
  settlementsOfNumberSql,
} from './queries.ts';

type Access = DatabaseAccess & VaultAccess;
type Queries = Pick<ChangeTransaction['database']['pool'], 'query'>;

/** An account of ours that pays, sealed. */
interface SealedPayer {
  payingId: string | null;
  payingSealed: Buffer | null;
}

/** How many accounts that pay are compared. */
const mostPayers = 200;

/** What the line of a break names, with the accounts that decide whether it may prove it. */
export async function readNamed(domain: Access, pool: Queries, line: NamedBreak): Promise<Named> {
  const { orm } = domain.database;
  const { merchantId, names } = line;
  const key = [merchantId, names];
  if (!names.startsWith('SF')) {
    const sql = names.startsWith('ST') ? settlementsOfNumberSql(orm) : settlementOfPaymentSql(orm);
    return withAccounts(domain, pool, line, null, await readSettlements(domain, pool, sql, key));
  }
  const { rows } = await pool.query<NonNullable<Named['file']> & object>(namedFileSql, key);
  const [file] = rows;
  const settlements = file ? await readSettlements(domain, pool, settlementsOfFileSql(orm), key) : [];
  // What failed before the download is not in the file. What failed later is, and then people have to look.
  const left = settlements.filter(({ state }) => state !== 'failed');
  const paid = left.length === file?.payments ? left : settlements;
  return withAccounts(domain, pool, line, file ?? null, paid);
}

async function readSettlements(
  { vault }: VaultAccess,
  pool: Queries,
  sql: string,
  key: readonly string[],
): Promise<NamedSettlement[]> {
  const { rows } = await pool.query<Omit<NamedSettlement, 'paying'> & SealedPayer & object>(sql, [...key]);
  const opened = new Map<string, string>();
  return rows.map(({ payingId, payingSealed, ...settlement }) => {
    // The settlements of a bank file have one account.
    const known = opened.get(payingId ?? '');
    const paying = known ?? numberOf(vault, { payingId, payingSealed });
    if (payingId !== null && paying !== null) opened.set(payingId, paying);
    return { ...settlement, paying };
  });
}

function numberOf(vault: VaultAccess['vault'], { payingId, payingSealed }: SealedPayer): string | null {
  if (payingId === null || payingSealed === null) return null;
  return openAccount(vault, payingId, payingSealed).number;
}

/** Other accounts are read only if the account of the line is not surely the one that pays. */
async function withAccounts(
  { vault }: VaultAccess,
  pool: Queries,
  line: NamedBreak,
  file: Named['file'],
  settlements: readonly NamedSettlement[],
): Promise<Named> {
  const { merchantId, account } = line;
  const others = await readOthers(pool, line, file, settlements);
  const isUnsure = settlements.some(
    ({ paying }) => paying !== null && account !== null && fitOfAccounts(account, paying) === 'ending',
  );
  if (!isUnsure) return { file, settlements, others, own: { channels: [], payers: [] } };
  const channels = await pool.query<OwnAccounts['channels'][number] & object>(channelAccountsSql, [merchantId]);
  const payers = await pool.query<SealedPayer & object>(payersSql, [merchantId, mostPayers]);
  const numbers = payers.rows.map((one) => numberOf(vault, one)).filter((one) => one !== null);
  return { file, settlements, others, own: { channels: channels.rows, payers: numbers } };
}

/** Lines name a settlement by its own number, or by the one under which a channel pays it. */
async function readOthers(
  pool: Queries,
  { merchantId, breakNo, channelId, direction, names }: NamedBreak,
  file: Named['file'],
  settlements: readonly NamedSettlement[],
): Promise<NamedBreak[]> {
  const numbers = file ? [] : settlements.flatMap(({ settlementNo, paymentNo }) => [settlementNo, paymentNo ?? names]);
  const key = [merchantId, breakNo, channelId, direction, [names, ...numbers], mostParts];
  return (await pool.query<NamedBreak & object>(othersSql, key)).rows;
}
