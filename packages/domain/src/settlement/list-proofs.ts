import { columnsOf } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { StatementLineRow } from '../database/entities/reconciliation.ts';
import { findable, most } from '../lists/load-rows.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';
import type { StoredLine } from '../reconciliation/index.ts';

/**
 * The statement lines that show the payment (`debit`) or the return of settlements, in the order of `refs`. A payment may be shown by the line of its
 * whole bank file. Null: none, or the line or the settlement is out of scope. At most 1,000.
 */
export async function loadSettlementProofs(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; settlementNo: string }[],
  which: 'debit' | 'return',
): Promise<(StoredLine | null)[]> {
  if (refs.length === 0) return [];
  if (refs.length > most) throw new RangeError(`at most ${most} rows are looked up at once, not ${refs.length}`);
  const { values, add } = collectValues();
  const merchants = add(refs.map(({ merchantId }) => findable(merchantId)));
  const numbers = add(refs.map(({ settlementNo }) => findable(settlementNo)));
  const place = which === 'debit' ? 'coalesce(s.debit_line, f.debit_line)' : 's.return_line';
  const { rows } = await database.reading.query<StoredLine & { place: number }>(
    `select ${columnsOf(database.orm, StatementLineRow)}, k.place::integer
     from unnest(${merchants}::text[], ${numbers}::text[]) with ordinality as k(merchant, no, place)
     join settlement s on s.merchant_id = k.merchant and s.settlement_no = k.no
     join merchant m on m.merchant_id = s.merchant_id
     left join settlement_file f on f.merchant_id = 'PLATFORM-' || m.country and f.file_no = s.file_no
     cross join lateral (select ${place} as line) p
     join statement_line t on t.merchant_id = 'PLATFORM-' || m.country and t.file_no = split_part(p.line, '/', 1)::bigint
       and t.line_no = split_part(p.line, '/', 2)::integer and t.part = split_part(p.line, '/', 3)::integer
     ${whereAll([...withinScope(scope, 's.merchant_id', add), ...withinScope(scope, 't.merchant_id', add)])}`,
    values,
  );
  const found = new Array<StoredLine | null>(refs.length).fill(null);
  for (const { place, ...row } of rows) found[place - 1] = row as unknown as StoredLine;
  return found;
}
