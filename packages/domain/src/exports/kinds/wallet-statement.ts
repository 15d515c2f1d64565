import { Money } from '../../core/money.ts';
import type { WalletEntry } from '../../core/wallet.ts';
import type { DatabaseAccess } from '../../database/database.ts';
import { pageStatementEntries } from '../../ledger/index.ts';
import type { PageRequest } from '../../lists/page.ts';
import type { Amounts, ExportedPeriod } from '../types.ts';
import { allPages, type ColumnOf, cellsOf, columnsOf, ExportProblem, pageAfter, type Source } from './source.ts';

/** An entry, or one of the two balance rows before and after the entries. */
type Row = Pick<WalletEntry, 'availableAfter' | 'frozenAfter'> & Partial<Omit<WalletEntry, 'type'>> & { type: string };

const columns = (currency: string): readonly ColumnOf<Row>[] => [
  ['number', 'number', ({ entryNo }) => entryNo ?? null],
  ['booked', 'time', ({ createdAt }) => createdAt ?? null],
  ['type', 'text', ({ type }) => type.toLowerCase()],
  ['currency', 'text', () => currency],
  ['available change', 'amount', ({ availableChange }) => availableChange ?? null],
  ['frozen change', 'amount', ({ frozenChange }) => frozenChange ?? null],
  ['available after', 'amount', ({ availableAfter }) => availableAfter],
  ['frozen after', 'amount', ({ frozenAfter }) => frozenAfter],
  ['order', 'text', ({ orderNo }) => orderNo ?? null],
  ['transfer', 'text', ({ bookingNo }) => bookingNo ?? null],
  ['remark', 'text', ({ remark }) => remark ?? null],
];

/**
 * A wallet's statement: opening balance, entries in their order, closing balance. Throws `ExportProblem` where an entry is missing or the movements
 * do not lead from the opening to the closing balance.
 */
export function openWalletStatement(domain: DatabaseAccess, period: ExportedPeriod): Source {
  const shown = columns(period.currency);
  const expected = period.last - period.after + 2;
  return { columns: columnsOf(shown), expected, pages: pagesOf(domain, period, shown) };
}

async function* pagesOf(domain: DatabaseAccess, period: ExportedPeriod, shown: readonly ColumnOf<Row>[]) {
  const { opening, closing, after, last } = period;
  const read = (page: PageRequest<'wallet_entries'>) =>
    pageStatementEntries(domain, period, {}, page, { isReversed: true });
  yield [cellsOf(shown, balanceRow('opening', opening))];
  const check = openCheck(period);
  for await (const entries of allPages('wallet_entries', read, await read(pageAfter('wallet_entries', null)))) {
    for (const entry of entries) check.add(entry);
    yield entries.map((entry) => cellsOf(shown, entry));
  }
  check.close(closing, last - after);
  yield [cellsOf(shown, balanceRow('closing', closing))];
}

function balanceRow(type: string, { available, frozen }: Amounts): Row {
  return { type, availableAfter: available, frozenAfter: frozen };
}

/** Adds the movements to the opening balance. Each entry has to follow the previous one. */
function openCheck({ currency, opening, after }: ExportedPeriod) {
  const money = (text: string): Money => Money.of(text, currency);
  let available = money(opening.available);
  let frozen = money(opening.frozen);
  let entryNo = after;
  return {
    add(entry: WalletEntry): void {
      entryNo += 1;
      available = available.plus(money(entry.availableChange));
      frozen = frozen.plus(money(entry.frozenChange));
      const isRight = entry.entryNo === entryNo && available.equals(money(entry.availableAfter));
      if (!isRight || !frozen.equals(money(entry.frozenAfter)))
        throw new ExportProblem(
          `the statement does not add up: entry ${entry.entryNo} does not follow the previous one`,
        );
    },
    close(closing: Amounts, entries: number): void {
      const isComplete = entryNo - after === entries;
      if (!isComplete || !available.equals(money(closing.available)) || !frozen.equals(money(closing.frozen)))
        throw new ExportProblem('the statement does not add up: opening and movements are not the closing balance');
    },
  };
}
