import { caseKindWords } from '../format/case-words.ts';
import { rangeOf } from '../format/period.ts';
import type { CaseFilter } from '../generated/documents.generated.ts';
import { choice, choices, type FilterValues, period, text, texts } from '../list/filters.ts';
import { assignedFilter } from '../work/assigned-filter.ts';
import { workSortFilter } from '../work/work-sort.ts';

/** What the filter bar of the cases offers. */
export const caseFilters = {
  kinds: choices('Kind', caseKindWords),
  merchantIds: texts('Merchant', 'M1001, PLATFORM-TH'),
  channelIds: texts('Channel', 'sandbox'),
  assigned: assignedFilter,
  assignee: text('Assigned to', "an operator's id"),
  opened: period('Opened'),
  orderNo: text('Order', 'PI…'),
};

/** Ways to look at the cases. */
export const caseViews = {
  open: 'Open',
  mine: 'Mine',
  returning: 'Returning',
  decided: 'Decided',
  all: 'All',
} as const;

/** All URL parameters of the list of cases. */
export const caseSearch = {
  ...caseFilters,
  view: choice('View', caseViews),
  sortBy: workSortFilter,
};

const STATES = {
  open: { states: ['OPEN'] },
  mine: { states: ['OPEN'], assigned: 'ME' },
  returning: { states: ['RETURNING'] },
  decided: { states: ['CREDITED', 'RETURNED', 'CHARGED', 'WRITTEN_OFF'] },
  all: {},
} satisfies Record<keyof typeof caseViews, CaseFilter>;

/** The API filter for the filters in the page's URL. */
export function toCaseFilter(
  { opened, assigned, assignee, ...rest }: FilterValues<typeof caseFilters>,
  view: keyof typeof caseViews,
  zone: string,
): CaseFilter {
  const { from, to } = rangeOf(opened, zone);
  return {
    ...rest,
    ...(from !== undefined && { openedFrom: from }),
    ...(to !== undefined && { openedTo: to }),
    // The API takes one of both.
    ...(assignee === undefined ? assigned !== undefined && { assigned } : { assignee }),
    ...STATES[view],
    ...(view === 'mine' && { assignee: undefined }),
  };
}
