import type { OrderKind } from '../core/order.ts';
import type { Database } from '../store/database.ts';
import { BankMappingRow } from '../store/entities/channel.ts';
import { columnsOf } from '../store/statements.ts';
import { given, is } from './conditions.ts';
import type { Page, PageRequest } from './page.ts';
import { readPage } from './read-page.ts';

/** A bank code that a channel knows, and its own name for it. */
export interface BankMappingRecord {
  channelId: string;
  kind: OrderKind;
  bankCode: string;
  channelBankCode: string;
}

/** Bank codes by channel, kind and code; of one channel, or with null of all. They are the platform's, so that no scope narrows them. */
export function pageBankMappings(
  { database }: { database: Database },
  channelId: string | null,
  page: PageRequest<'bank_mappings'>,
): Promise<Page<BankMappingRecord>> {
  return readPage<BankMappingRecord>(
    database.reading,
    {
      table: 'bank_mapping',
      columns: columnsOf(database.orm, BankMappingRow),
      key: ['channel_id', 'kind', 'bank_code'],
      direction: 'asc',
      keyOf: (mapping) => [mapping.channelId, mapping.kind, mapping.bankCode],
      merchants: null,
      access: (add) => given(is('t.channel_id', channelId, add)),
      filters: () => [],
    },
    page,
  );
}
