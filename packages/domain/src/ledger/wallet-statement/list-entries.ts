import { z } from 'zod';
import type { WalletEntry } from '../../core/wallet.ts';
import { entryTypes } from '../../core/wallet.ts';
import { columnsOf } from '../../database/columns.ts';
import type { Database } from '../../database/database.ts';
import { WalletEntryRow } from '../../database/entities/ledger.ts';
import { given, isOneOf } from '../../lists/conditions.ts';
import { anyOf } from '../../lists/filter-parts.ts';
import type { Page, PageRequest } from '../../lists/page.ts';
import { readPage } from '../../lists/read-page.ts';
import type { WalletStatement } from './read-statement.ts';

export const statementEntryFilter = z.strictObject({ types: anyOf(z.enum(entryTypes)) });
export type StatementEntryFilter = z.infer<typeof statementEntryFilter>;

/** A statement's entries by their numbers, the newest first unless `isReversed`. */
export function pageStatementEntries(
  { database }: { database: Database },
  { merchantId, after, last }: Pick<WalletStatement, 'merchantId' | 'after' | 'last'>,
  { types }: StatementEntryFilter,
  page: PageRequest<'wallet_entries'>,
  { isReversed = false }: { isReversed?: boolean } = {},
): Promise<Page<WalletEntry>> {
  return readPage(
    database.reading,
    {
      table: 'wallet_entry',
      columns: columnsOf(database.orm, WalletEntryRow),
      isReversed,
      merchants: [merchantId],
      indexConditions: (add) => [`t.entry_no > ${add(after)}::bigint`, `t.entry_no <= ${add(last)}::bigint`],
      rowConditions: (add) => given(isOneOf('t.type', types, add)),
    },
    page,
  );
}
