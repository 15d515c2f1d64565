import { z } from 'zod';
import { columnsOf } from '../database/columns.ts';
import type { Database, DatabaseAccess } from '../database/database.ts';
import {
  StatementExpectationRow,
  StatementFileRow,
  StatementLineRow,
  StatementUnparsedRow,
} from '../database/entities/reconciliation.ts';
import { given, isOneOf } from '../lists/conditions.ts';
import { anyOf, channelId, merchantIds } from '../lists/filter-parts.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';
import { dayText } from './list-breaks.ts';
import type { StatementLine } from './statement.ts';
import { fileStates, type StatementFile } from './types.ts';

/** `merchantIds`: platform tenants. `day`: one that the statement covers. */
export const statementFilter = z.strictObject({
  merchantIds,
  states: anyOf(z.enum(fileStates)),
  channelIds: anyOf(channelId),
  day: dayText.nullish(),
});
export type StatementFilter = z.infer<typeof statementFilter>;

/** Statements by the time of their upload, the newest first. */
export function pageStatements(
  { database }: { database: Database },
  scope: Scope,
  filter: StatementFilter,
  page: PageRequest<'statements'>,
): Promise<Page<StatementFile>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      table: 'statement_file',
      columns: columnsOf(database.orm, StatementFileRow),
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: () => [],
      rowConditions: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          isOneOf('t.state', filter.states, add),
          isOneOf('t.channel_id', filter.channelIds, add),
          filter.day == null ? null : `${add(filter.day)}::date between t.first_day and t.last_day`,
        ),
      ],
    },
    page,
  );
}

const files = ofMerchant(StatementFileRow, ['file_no', 'bigint']);

export function loadStatements(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; fileNo: number }[],
): Promise<(StatementFile | null)[]> {
  return loadRows<StatementFile>(
    database,
    files,
    refs.map(({ merchantId, fileNo }) => [merchantId, fileNo]),
    scope,
  );
}

/** A line as it is stored: `day` is the statement's own day. */
export interface StoredLine extends Omit<StatementLine, 'bookedOn'> {
  merchantId: string;
  fileNo: number;
  channelId: string;
  day: string;
}

const lines = ofMerchant(StatementLineRow, ['file_no', 'bigint'], ['line_no', 'bigint'], ['part', 'bigint']);

export function loadStatementLines(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; fileNo: number; lineNo: number; part: number }[],
): Promise<(StoredLine | null)[]> {
  const keys = refs.map(({ merchantId, fileNo, lineNo, part }) => [merchantId, fileNo, lineNo, part]);
  return loadRows<StoredLine>(database, lines, keys, scope);
}

/** A row of a statement that cannot be read. */
export interface UnparsedRow {
  merchantId: string;
  fileNo: number;
  lineNo: number;
  reason: string;
}

const unparsed = ofMerchant(StatementUnparsedRow, ['file_no', 'bigint'], ['line_no', 'bigint']);

export function loadUnparsedRows(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; fileNo: number; lineNo: number }[],
): Promise<(UnparsedRow | null)[]> {
  const keys = refs.map(({ merchantId, fileNo, lineNo }) => [merchantId, fileNo, lineNo]);
  return loadRows<UnparsedRow>(database, unparsed, keys, scope);
}

/** An expectation: a movement that a statement has to show. `merchantId`: the merchant of its transfers. */
export interface StoredExpectation {
  merchantId: string;
  transferNo: number;
  tenant: string;
  channelId: string;
  day: string;
  cause: string;
  direction: 'in' | 'out';
  amount: string;
  orderNo: string | null;
  channelRef: string | null;
  orderRef: string | null;
  bankRef: string | null;
  postedAt: number;
}

const expectations = ofMerchant(StatementExpectationRow, ['transfer_no', 'bigint']);

export function loadExpectations(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; transferNo: number }[],
): Promise<(StoredExpectation | null)[]> {
  const keys = refs.map(({ merchantId, transferNo }) => [merchantId, transferNo]);
  return loadRows<StoredExpectation>(database, expectations, keys, scope);
}
