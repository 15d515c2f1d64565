import { columnsOf } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { StatementLineRow } from '../database/entities/reconciliation.ts';
import { findable, most } from '../lists/load-rows.ts';
import { type Scope, withinScope } from '../lists/scope.ts';
import { collectValues, whereAll } from '../lists/values.ts';
import { isSuperseded, type StoredLine } from '../reconciliation/index.ts';

/**
 * The statement lines that show the payment (`debit`) or the return of settlements now, in the order of `refs`: all parts, the first one first. A payment
 * may be shown by the lines of its whole bank file. None: there are none, or they or the settlement are out of scope. At most 1,000.
 */
export async function loadSettlementProofs(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; settlementNo: string }[],
  which: 'debit' | 'return',
): Promise<StoredLine[][]> {
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
     join statement_line l on l.merchant_id = 'PLATFORM-' || m.country and l.file_no = split_part(p.line, '/', 1)::bigint
       and l.line_no = split_part(p.line, '/', 2)::integer and l.part = split_part(p.line, '/', 3)::integer
     cross join lateral (select l.file_no, l.line_no, l.part
       union select y.file_no, y.line_no, y.part from matched_line x
         join matched_line y on y.merchant_id = x.merchant_id and y.match_no = x.match_no and y.rule in ('posted', 'corrected_line')
         where x.merchant_id = l.merchant_id and x.file_no = l.file_no and x.line_no = l.line_no and x.part = l.part) parts
     join statement_line t on t.merchant_id = l.merchant_id and t.file_no = parts.file_no and t.line_no = parts.line_no
       and t.part = parts.part and t.direction = l.direction and not ${isSuperseded('t')}
     ${whereAll([...withinScope(scope, 's.merchant_id', add), ...withinScope(scope, 't.merchant_id', add)])}
     order by k.place, t.file_no, t.line_no, t.part`,
    values,
  );
  const found: StoredLine[][] = refs.map(() => []);
  for (const { place, ...row } of rows) found[place - 1]?.push(row as unknown as StoredLine);
  return found;
}
