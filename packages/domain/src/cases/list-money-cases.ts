import { z } from 'zod';
import { caseStates, type MoneyCase } from '../core/payment.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { MoneyCaseRow } from '../database/entities/ledger.ts';
import { assignedAs, assignedFilter } from '../lists/assigned.ts';
import { given, is, isOneOf, isWithin } from '../lists/conditions.ts';
import { anyOf, channelId, merchantIds, orderNo, time } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { merchantsToLookUp, ofMerchants, type Scope } from '../lists/scope.ts';

const caseState = z.enum([...caseStates, 'returning']);
const caseKind = z.enum([
  'late',
  'double',
  'wrong_amount',
  'parts_of_unpaid',
  'unmatched',
  'payout_returned',
  'payout_paid_again',
  'payout_wrong_amount',
  'payout_underpaid',
  'settlement_failed',
  'contradiction',
]);
export const moneyCaseFilter = z.strictObject({
  merchantIds,
  states: anyOf(caseState),
  kinds: anyOf(caseKind),
  channelIds: anyOf(channelId),
  orderNo: orderNo.nullish(),
  openedFrom: time.nullish(),
  openedTo: time.nullish(),
  ...assignedFilter,
});
export type MoneyCaseFilter = z.infer<typeof moneyCaseFilter>;

/** Cases by opening time, the newest first, or by amount, the largest first, unless `isReversed`. */
export function pageMoneyCases(
  { database }: { database: Database },
  scope: Scope,
  filter: MoneyCaseFilter,
  page: PageRequest<'money_cases' | 'money_cases_by_amount'>,
  { isReversed = false }: { isReversed?: boolean } = {},
): Promise<Page<MoneyCase>> {
  const wanted = filter.merchantIds ?? null;
  const { states } = filter;
  // Open cases, also those with a refund under way, have their own index.
  const onlyOpen = states?.every((state) => state === 'open' || state === 'returning');
  const progress = onlyOpen ? onlyOneOpen(states) : null;
  return readPage(
    database.reading,
    {
      table: 'money_case',
      columns: columnsOf(database.orm, MoneyCaseRow),
      isReversed,
      merchants: merchantsToLookUp(wanted, scope),
      indexConditions: (add) => [
        ...given(onlyOpen ? `t.state = 'open'` : null, is('t.order_no', filter.orderNo, add)),
        ...isWithin('t.opened_at', filter.openedFrom, filter.openedTo, add),
      ],
      rowConditions: (add) => [
        ...ofMerchants(wanted, scope, add),
        ...given(
          onlyOpen ? progress : isOneOf(progressSql, states, add),
          isOneOf('t.kind', filter.kinds, add),
          isOneOf('t.channel_id', filter.channelIds, add),
          ...assignedAs(filter, `'case ' || t.case_no`, add),
        ),
      ],
    },
    page,
  );
}

/** Progress of the case, see `progressOfCase`. */
const progressSql = `case when t.state = 'open' and t.refund_no is not null then 'returning' else t.state end`;

/** The open cases in one of these states; null: all of them. */
function onlyOneOpen(states: readonly string[] | null | undefined): string | null {
  const kinds = new Set(states);
  if (kinds.size !== 1) return null;
  return kinds.has('open') ? 't.refund_no is null' : 't.refund_no is not null';
}
