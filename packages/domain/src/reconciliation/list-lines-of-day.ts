import { columnsOf } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { StatementLineRow } from '../database/entities/reconciliation.ts';
import { isSuperseded } from './files/queries.ts';
import type { StoredLine } from './list-statements.ts';

/** A line of a day, with the match that explains it; null: none yet. `rule` is `superseded` for a line that a later version of its file replaces. */
export interface LineOfDay extends StoredLine {
  matchNo: number | null;
  rule: string | null;
  /** The difference that the statement shows beyond the ledger, within the tolerance: decimal text. */
  difference: string | null;
}

/** The place of a line among the lines of a day. */
export interface LinePlace {
  fileNo: number;
  lineNo: number;
  part: number;
}

/** The place before the first line of a day. */
export const firstPlace: LinePlace = { fileNo: 0, lineNo: 0, part: -1 };

/** Statements of a channel that can have lines of a day. */
const maxFiles = 1_000;

/**
 * The next lines of a day of a tenant after `after`, at most `most`: file by file, each in its own order, by the key of the table. `channelId`:
 * of this channel alone. Lines of files whose import has not ended are left out.
 */
export async function pageLinesOfDay(
  { database }: DatabaseAccess,
  { tenant, day, channelId }: { tenant: string; day: string; channelId: string | null },
  after: LinePlace,
  most: number,
): Promise<LineOfDay[]> {
  const { rows } = await database.reading.query<LineOfDay & object>(
    `select ${columnsOf(database.orm, StatementLineRow)}, m.match_no::float8 as "matchNo", case when ${isSuperseded('t')} then 'superseded' else m.rule end as rule, m.difference::text as difference
     from (select f.merchant_id, f.file_no from statement_file f
       where f.merchant_id = $1 and f.state = 'imported' and f.first_day <= $2::date and f.last_day >= $2::date
         and ($3::text is null or f.channel_id = $3) and f.file_no >= $4::bigint order by f.file_no limit ${maxFiles}) f
     cross join lateral (select * from statement_line l
       where l.merchant_id = f.merchant_id and l.file_no = f.file_no and l.day = $2::date
         and (f.file_no > $4::bigint or (l.line_no, l.part) > ($5::integer, $6::integer))
       order by l.line_no, l.part limit $7::integer) t
     left join matched_line m on m.merchant_id = t.merchant_id and m.file_no = t.file_no and m.line_no = t.line_no and m.part = t.part
     order by t.file_no, t.line_no, t.part limit $7::integer`,
    [tenant, day, channelId, after.fileNo, after.lineNo, after.part, most],
  );
  return rows;
}
