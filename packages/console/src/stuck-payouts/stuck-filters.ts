import type { StuckPayoutFilter } from '../generated/documents.generated.ts';
import { choice, type FilterValues, text, texts } from '../list/filters.ts';
import { assignedFilter } from '../work/assigned-filter.ts';
import { workSortFilter } from '../work/work-sort.ts';

const waits = {
  '15': 'At least 15 minutes',
  '60': 'At least 1 hour',
  '240': 'At least 4 hours',
  '1440': 'At least 1 day',
  '10080': 'At least 7 days',
};

/** What the filter bar of the stuck payouts offers. */
export const stuckFilters = {
  waiting: choice('Waits for', waits),
  merchantIds: texts('Merchant', 'M1001'),
  channelIds: texts('Channel', 'sandbox'),
  assigned: assignedFilter,
  assignee: text('Assigned to', "an operator's id"),
};

/** All URL parameters of the list of stuck payouts. */
export const stuckSearch = { ...stuckFilters, sortBy: workSortFilter };

/** The API filter for the filters in the page's URL. */
export function toStuckFilter({
  waiting,
  assigned,
  assignee,
  ...rest
}: FilterValues<typeof stuckFilters>): StuckPayoutFilter {
  return {
    ...rest,
    ...(waiting !== undefined && { waitingMinutes: Number(waiting) }),
    // The API takes one of both.
    ...(assignee === undefined ? assigned !== undefined && { assigned } : { assignee }),
  };
}
