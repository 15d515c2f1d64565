import type { PayoutTaskFilter } from '../generated/documents.generated.ts';
import { choice, type FilterValues, text, texts } from '../list/filters.ts';
import { workSortFilter } from '../work/work-sort.ts';
import { taskViews } from './task-state.ts';

/** What the filter bar of the payout tasks offers. */
export const taskFilters = {
  merchantIds: texts('Merchant', 'M1001'),
  claimedBy: text('Claimed by', "an operator's id"),
};

/** All URL parameters of the list of payout tasks. */
export const taskSearch = { ...taskFilters, view: choice('View', taskViews), sortBy: workSortFilter };

/** The API filter for the filters in the page's URL. */
export function toTaskFilter(
  filters: FilterValues<typeof taskFilters>,
  view: keyof typeof taskViews,
  operatorId: string,
): PayoutTaskFilter {
  if (view === 'available') return { ...filters, state: 'AVAILABLE' };
  if (view === 'asked') return { ...filters, state: 'ASKED' };
  if (view === 'review') return { ...filters, state: 'PROVEN' };
  return view === 'mine' ? { ...filters, claimedBy: operatorId } : filters;
}
