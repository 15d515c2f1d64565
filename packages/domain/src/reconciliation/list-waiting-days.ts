import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { given, isOneOf } from '../lists/conditions.ts';
import { anyOf, channelId, merchantIds } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';
import { dayWaits, openDay, waitingDayConditions } from './days/list-waiting-conditions.ts';
import { dayColumns, dayJoins } from './list-days.ts';
import type { ReconciliationDay } from './types.ts';

/** `merchantIds`: platform tenants. */
export const waitingDayFilter = z.strictObject({
  waitsFor: z.enum(dayWaits),
  merchantIds,
  channelIds: anyOf(channelId),
});
export type WaitingDayFilter = z.infer<typeof waitingDayFilter>;

/** The days that can be closed, or whose statement is missing: the oldest first. */
export function pageWaitingDays(
  { database }: { database: Database },
  scope: Scope,
  filter: WaitingDayFilter,
  page: PageRequest<'waiting_days'>,
): Promise<Page<ReconciliationDay>> {
  const wanted = filter.merchantIds ?? null;
  return readPage(
    database.reading,
    {
      table: 'reconciliation_day',
      columns: 't.*',
      around: (found) => `select ${dayColumns}
        from (select p.*, row_number() over () as place from (${found}) p) t ${dayJoins} order by t.place`,
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: () => [openDay],
      rowConditions: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(isOneOf('t.channel_id', filter.channelIds, add)),
        ...waitingDayConditions(filter.waitsFor, add),
      ],
    },
    page,
  );
}
