import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import { z } from 'zod';
import type { Country } from '../core/country.ts';
import { type Settlement, settlementStates } from '../core/settlement.ts';
import type { WalletEntry } from '../core/wallet.ts';
import { currencyOf, timeZoneOf } from '../countries/index.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database, DatabaseAccess } from '../database/database.ts';
import { WalletEntryRow } from '../database/entities/ledger.ts';
import { SettlementAccountRow, SettlementCycleRow, SettlementRow } from '../database/entities/settlement.ts';
import type { VaultAccess } from '../database/vault.ts';
import { given, is, isOneOf } from '../lists/conditions.ts';
import { anyOf, merchantId, merchantIds } from '../lists/filter-parts.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope, withinScope } from '../lists/scope.ts';
import { type Add, collectValues, whereAll } from '../lists/values.ts';
import { dayText } from '../reconciliation/index.ts';
import { accountsSql, channelsOf, isCreditSql, isSettledSql } from './queries.ts';
import { type BankAccount, openAccount, type SettlementCycle } from './set-cycle.ts';

const settlementNo = matchingText(35, /^ST[0-9A-Z]{4,33}$/, 'must be a settlement number');

const fileNo = boundedText(256).regex(/^SF[A-Z]{2}[0-9]{6,}$/, 'must be the number of a bank file');

/** Both days are inclusive. `hasAmount`: whether there is something to pay. */
export const settlementFilter = z.strictObject({
  merchantIds,
  states: anyOf(z.enum(settlementStates)),
  currencies: anyOf(z.enum(Object.values(currencyOf))),
  fileNo: fileNo.nullish(),
  settlementNo: settlementNo.nullish(),
  hasAmount: z.boolean().nullish(),
  runDayFrom: dayText.nullish(),
  runDayTo: dayText.nullish(),
});
export type SettlementFilter = z.infer<typeof settlementFilter>;

/** Settlements by the time of their draft, the newest first. */
export function pageSettlements(
  { database }: { database: Database },
  scope: Scope,
  filter: SettlementFilter,
  page: PageRequest<'settlements'>,
): Promise<Page<Settlement>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      table: 'settlement',
      columns: columnsOf(database.orm, SettlementRow),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: () => [],
      rowConditions: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          isOneOf('t.state', filter.states, add),
          isOneOf('t.currency', filter.currencies, add),
          is('t.settlement_no', filter.settlementNo, add),
          is('t.file_no', filter.fileNo, add),
          filter.hasAmount == null ? null : `t.amount ${filter.hasAmount ? '>' : '='} 0`,
          filter.runDayFrom == null ? null : `t.run_day >= ${add(filter.runDayFrom)}::date`,
          filter.runDayTo == null ? null : `t.run_day <= ${add(filter.runDayTo)}::date`,
        ),
      ],
    },
    page,
  );
}

export const settlementCycleFilter = z.strictObject({ merchantIds });
export type SettlementCycleFilter = z.infer<typeof settlementCycleFilter>;

/** The cycles of merchants, by merchant number. */
export function pageSettlementCycles(
  { database }: { database: Database },
  scope: Scope,
  filter: SettlementCycleFilter,
  page: PageRequest<'settlement_cycles'>,
): Promise<Page<SettlementCycle>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      table: 'settlement_cycle',
      columns: columnsOf(database.orm, SettlementCycleRow),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: () => [],
      rowConditions: (add) => ofMerchants(wanted, scope, add),
    },
    page,
  );
}

const settlements = ofMerchant(SettlementRow, ['settlement_no', 'text']);
const cycles = ofMerchant(SettlementCycleRow);
const accounts = ofMerchant(SettlementAccountRow, ['account_id', 'text']);

export function loadSettlements(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; settlementNo: string }[],
): Promise<(Settlement | null)[]> {
  const keys = refs.map(({ merchantId, settlementNo }) => [merchantId, settlementNo]);
  return loadRows<Settlement>(database, settlements, keys, scope);
}

/** The cycle of each merchant; null: it has none. */
export function loadSettlementCycles(
  { database }: DatabaseAccess,
  scope: Scope,
  merchants: readonly string[],
): Promise<(SettlementCycle | null)[]> {
  const keys = merchants.map((merchantId) => [merchantId]);
  return loadRows<SettlementCycle>(database, cycles, keys, scope);
}

/** The last characters of accounts' numbers. */
export async function loadAccountEndings(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; accountId: string }[],
): Promise<(string | null)[]> {
  const keys = refs.map(({ merchantId, accountId }) => [merchantId, accountId]);
  const rows = await loadRows<{ ending: string }>(database, { ...accounts, omitted: ['sealed'] }, keys, scope);
  return rows.map((row) => row?.ending ?? null);
}

/** Bank accounts as they are. Only for operators who may see personal data, about rows that they may see. */
export async function openAccounts(
  { database, vault }: DatabaseAccess & VaultAccess,
  refs: readonly { merchantId: string; accountId: string }[],
): Promise<(BankAccount | null)[]> {
  const { rows } = await database.reading.query<{ accountId: string; sealed: Buffer }>(accountsSql, [
    refs.map(({ merchantId }) => merchantId),
    refs.map(({ accountId }) => accountId),
  ]);
  const opened = new Map(rows.map(({ accountId, sealed }) => [accountId, openAccount(vault, accountId, sealed)]));
  return refs.map(({ accountId }) => opened.get(accountId) ?? null);
}

export const settlementEntryFilter = z.strictObject({ merchantId, settlementNo: settlementNo.nullish() });
export type SettlementEntryFilter = z.infer<typeof settlementEntryFilter>;

/**
 * The wallet entries that a settlement is made of, the newest first. Their sum is closing less opening. Without a
 * number: of the merchant's newest settlement. None if there is no such settlement, or it is out of scope.
 */
export async function pageSettlementEntries(
  { database }: { database: Database },
  scope: Scope,
  filter: SettlementEntryFilter,
  page: PageRequest<'wallet_entries'>,
): Promise<Page<WalletEntry>> {
  const { values, add: addHere } = collectValues();
  const { rows } = await database.reading.query<Positions>(
    `select t.scan_after::float8 as "scanAfter", t.after_entry_no::float8 as "afterEntryNo", t.through_entry_no::float8 as "throughEntryNo",
       t.settled_before as "settledBefore", t.settled_days as "settledDays", t.settled_entries as "settledEntries",
       b.settled_entries as "entriesBefore", m.country
     from settlement t join merchant m on m.merchant_id = t.merchant_id
     left join settlement b on b.merchant_id = t.merchant_id and b.seq = t.seq - 1
     ${whereAll([
       `t.merchant_id = ${addHere(filter.merchantId)}`,
       ...given(is('t.settlement_no', filter.settlementNo, addHere)),
       ...withinScope(scope, 't.merchant_id', addHere),
     ])} order by t.seq desc limit 1`,
    values,
  );
  const [found] = rows;
  return readPage(
    database.reading,
    {
      table: 'wallet_entry',
      columns: columnsOf(database.orm, WalletEntryRow),
      merchants: found ? [filter.merchantId] : [],
      indexConditions: (add) => [
        `t.entry_no > ${add(found?.scanAfter ?? 0)}::bigint`,
        `t.entry_no <= ${add(found?.throughEntryNo ?? 0)}::bigint`,
      ],
      rowConditions: (add) => (found ? [isSettledBy(found, add)] : []),
    },
    page,
  );
}

interface Positions
  extends Pick<
    Settlement,
    'scanAfter' | 'afterEntryNo' | 'throughEntryNo' | 'settledBefore' | 'settledDays' | 'settledEntries'
  > {
  /** `settledEntries` of the settlement before. */
  entriesBefore: Settlement['settledEntries'];
  country: Country;
}

/** Credits by the position of their channel, everything else by its number, as `draftOf` counts them. */
function isSettledBy({ country, entriesBefore, ...found }: Positions, add: Add): string {
  const day = `(t.created_at at time zone ${add(timeZoneOf[country])})::date::text`;
  const order = '(select o.channel_id from orders o where o.merchant_id = t.merchant_id and o.order_no = t.order_no)';
  const isSettled = (days: object, entries: object | null, throughEntryNo: number): string =>
    isSettledSql('t.entry_no', 'c.id', day, {
      days: add(JSON.stringify(days)),
      entries: add(JSON.stringify(entries ?? {})),
      throughEntryNo: add(throughEntryNo),
    });
  const before = isSettled(found.settledBefore, entriesBefore, found.afterEntryNo);
  const after = isSettled(found.settledDays, found.settledEntries, found.throughEntryNo);
  return `case when ${isCreditSql('t')} then (select ${after} and not ${before} from (select ${channelsOf('t', order)} as id) c)
    else t.available_change <> 0 and t.entry_no > ${add(found.afterEntryNo)}::bigint end`;
}
