import { TransferRow } from '../../database/entities/ledger.ts';
import { type ColumnsOf, insertMany } from './queries.ts';
import type { LedgerRecord } from './record.ts';

const queries = (columns: ColumnsOf) => ({ insertTransfers: insertMany('transfer', columns(TransferRow)) });

/** Movements between accounts. */
export const transfers = {
  queries,
  added: { 'transfer posted': ({ transfer }) => transfer },
} satisfies LedgerRecord<never, ReturnType<typeof queries>>;
