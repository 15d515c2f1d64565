import type { OrderKind } from '../core/order.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { BankMappingRow } from '../database/entities/channel.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import { unrestricted } from '../lists/scope.ts';

/** A bank code, and the channel's own code for the bank. */
export interface BankMappingRecord {
  channelId: string;
  kind: OrderKind;
  bankCode: string;
  channelBankCode: string;
}

/** A page of each channel's bank mappings, by kind and code. Mappings belong to the platform, so no scope applies. */
export function pagesOfBankMappings(
  { database }: { database: Database },
  channelIds: readonly string[],
  page: PageRequest<'bank_mappings'>,
): Promise<Page<BankMappingRecord>[]> {
  return readPages(
    database.reading,
    {
      table: 'bank_mapping',
      columns: columnsOf(database.orm, BankMappingRow),
      parent: ['channel_id'],
    },
    unrestricted,
    channelIds.map((channelId) => [channelId]),
    page,
  );
}
