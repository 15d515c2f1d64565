import { NotificationRow } from '../../database/entities/order.ts';
import { type ColumnsOf, insertMany } from './queries.ts';
import type { LedgerRecord } from './record.ts';

const queries = (columns: ColumnsOf) => ({
  insertNotifications: insertMany('notification', columns(NotificationRow)),
});

/** What merchants are told. */
export const notifications = {
  queries,
  added: { 'notification due': ({ notification }) => notification },
} satisfies LedgerRecord<never, ReturnType<typeof queries>>;
