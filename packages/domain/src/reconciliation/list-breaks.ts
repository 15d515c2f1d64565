import { z } from 'zod';
import { columnsOf } from '../database/columns.ts';
import type { Database, DatabaseAccess } from '../database/database.ts';
import { ReconciliationBreakRow } from '../database/entities/reconciliation.ts';
import { assignedAs, assignedFilter } from '../lists/assigned.ts';
import { given, is, isOneOf } from '../lists/conditions.ts';
import { anyOf, channelId, merchantIds, orderNo } from '../lists/filter-parts.ts';
import { loadRows, ofMerchant } from '../lists/load-rows.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';
import type { Add } from '../lists/values.ts';
import { isDay } from './files/decide-totals.ts';
import { type Break, breakKinds, breakStates } from './types.ts';

export const dayText = z.string().refine(isDay, 'must be a day, such as 2026-11-21');

/** `merchantIds`: platform tenants. Days are those on which a break is expected, both inclusive. */
export const breakFilter = z.strictObject({
  merchantIds,
  states: anyOf(z.enum(breakStates)),
  kinds: anyOf(z.enum(breakKinds)),
  channelIds: anyOf(channelId),
  ...{ dayFrom: dayText.nullish(), dayTo: dayText.nullish() },
  orderNo: orderNo.nullish(),
  fileNo: z.number().int().min(1).nullish(),
  ...assignedFilter,
});
export type BreakFilter = z.infer<typeof breakFilter>;

/** Breaks by the time at which they were found, the newest first unless `isReversed`. */
export function pageBreaks(
  { database }: { database: Database },
  scope: Scope,
  filter: BreakFilter,
  page: PageRequest<'breaks'>,
  { isReversed = false }: { isReversed?: boolean } = {},
): Promise<Page<Break>> {
  const wanted = filter.merchantIds ?? null;
  const number = (column: string, sign: string, value: unknown, type: string, add: Add): string | null =>
    value == null ? null : `${column} ${sign} ${add(value)}::${type}`;
  return readPage(
    database.reading,
    {
      table: 'reconciliation_break',
      columns: columnsOf(database.orm, ReconciliationBreakRow),
      isReversed,
      merchants: merchantsToLookUp(wanted, scope),
      access: () => [],
      filters: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          isOneOf('t.state', filter.states, add),
          isOneOf('t.kind', filter.kinds, add),
          isOneOf('t.channel_id', filter.channelIds, add),
          is('t.order_no', filter.orderNo, add),
          number('t.file_no', '=', filter.fileNo, 'bigint', add),
          number('t.day', '>=', filter.dayFrom, 'date', add),
          number('t.day', '<=', filter.dayTo, 'date', add),
          ...assignedAs(filter, `'break ' || t.break_no`, add),
        ),
      ],
    },
    page,
  );
}

const breaks = ofMerchant(ReconciliationBreakRow, ['break_no', 'bigint']);

export function loadBreaks(
  { database }: DatabaseAccess,
  scope: Scope,
  refs: readonly { merchantId: string; breakNo: number }[],
): Promise<(Break | null)[]> {
  return loadRows<Break>(
    database,
    breaks,
    refs.map(({ merchantId, breakNo }) => [merchantId, breakNo]),
    scope,
  );
}
