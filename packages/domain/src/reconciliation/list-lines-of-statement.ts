import { z } from 'zod';
import { platformMerchantOf } from '../core/country.ts';
import { columnsOf } from '../database/columns.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { StatementLineRow } from '../database/entities/reconciliation.ts';
import { country } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import type { Scope } from '../lists/scope.ts';
import { loadStatements, type StoredLine } from './list-statements.ts';

/** A line of a statement, with its match or break. */
export interface LineOfStatement extends StoredLine {
  match: LineMatch | null;
  /** Number of its newest break; null: it never had one. */
  breakNo: number | null;
}

/** The movements of the ledger that a line shows. */
export interface LineMatch {
  matchNo: number;
  /** The rule by which they were found. */
  rule: string;
  /** The difference that the statement shows beyond the ledger, within the tolerance: decimal text. */
  difference: string;
  /** Number of movements, at most 1,000. */
  movements: number;
  /** The order of the first of them. */
  orderNo: string | null;
}

export const statementLineFilter = z.strictObject({
  country,
  fileNo: z.number().int().min(1).max(2_147_483_647),
});
export type StatementLineFilter = z.infer<typeof statementLineFilter>;

/** More movements of a match are not counted. */
const mostMovements = 1_000;

/**
 * The lines of a statement in the order of its rows. None while it is being imported, if it was refused, or if it is
 * out of scope.
 */
export async function pageLinesOfStatement(
  { database }: DatabaseAccess,
  scope: Scope,
  { country, fileNo }: StatementLineFilter,
  page: PageRequest<'statement_lines'>,
): Promise<Page<LineOfStatement>> {
  const [file] = await loadStatements({ database }, scope, [{ merchantId: platformMerchantOf(country), fileNo }]);
  return readPage(
    database.reading,
    {
      table: 'statement_line',
      columns: `${columnsOf(database.orm, StatementLineRow)}, ${matchColumn}, ${breakColumn}`,
      merchants: file?.state === 'imported' ? [file.merchantId] : [],
      indexConditions: (add) => [`t.file_no = ${add(fileNo)}::bigint`],
      rowConditions: () => [],
    },
    page,
  );
}

const matchColumn = `(select json_build_object('matchNo', m.match_no, 'rule', m.rule, 'difference', m.difference::text,
    'movements', (select count(*) from (select from matched_expectation e
      where e.tenant = m.merchant_id and e.match_no = m.match_no limit ${mostMovements}) e),
    'orderNo', (select x.order_no from matched_expectation e join statement_expectation x using (merchant_id, transfer_no)
      where e.tenant = m.merchant_id and e.match_no = m.match_no order by e.merchant_id, e.transfer_no limit 1))
  from matched_line m where m.merchant_id = t.merchant_id and m.file_no = t.file_no and m.line_no = t.line_no and m.part = t.part) as match`;

/** Subjects of breaks are indexed, lines are not. */
const breakColumn = `(select b.break_no::float8 from reconciliation_break b where b.merchant_id = t.merchant_id
    and b.subject = 'line ' || t.file_no || '/' || t.line_no || '/' || t.part order by b.break_no desc limit 1) as "breakNo"`;
