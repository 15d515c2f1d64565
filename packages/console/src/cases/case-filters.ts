import { rangeOf } from '../format/period.ts';
import type { CaseFilter } from '../generated/documents.generated.ts';
import { choice, choices, type FilterValues, period, text, texts } from '../list/filters.ts';
import { caseKindWords } from './case-words.ts';

/** What the filter bar of the cases offers. */
export const caseFilters = {
  kinds: choices('Kind', caseKindWords),
  merchantIds: texts('Merchant', 'M1001, PLATFORM-TH'),
  channelIds: texts('Channel', 'sandbox'),
  opened: period('Opened'),
  orderNo: text('Order', 'PI…'),
};

/** Ways to look at the cases. */
export const caseViews = { open: 'Open', decided: 'Decided', all: 'All' } as const;

/** Everything that the address of the cases can say. */
export const caseSearch = {
  ...caseFilters,
  view: choice('View', caseViews),
};

const STATES = {
  open: { states: ['OPEN'] },
  decided: { states: ['CREDITED', 'RETURNED'] },
  all: {},
} satisfies Record<keyof typeof caseViews, CaseFilter>;

/** The filter of the API for what the address says. */
export function toCaseFilter(
  { opened, ...rest }: FilterValues<typeof caseFilters>,
  view: keyof typeof caseViews,
  zone: string,
): CaseFilter {
  const { from, to } = rangeOf(opened, zone);
  return {
    ...rest,
    ...(from !== undefined && { openedFrom: from }),
    ...(to !== undefined && { openedTo: to }),
    ...STATES[view],
  };
}
