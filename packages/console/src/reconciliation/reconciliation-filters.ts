import { countryNames } from '../format/words.ts';
import { choice, choices, period, text, texts } from '../list/filters.ts';
import { assignedFilter } from '../work/assigned-filter.ts';
import { ageWords, breakKindWords, statementStateWords } from './reconciliation-words.ts';

/** Tabs: days, breaks, statements, profiles. */
export const reconciliationTabs = {
  '/reconciliation': 'Days',
  '/reconciliation/breaks': 'Breaks',
  '/reconciliation/statements': 'Statements',
  '/reconciliation/profiles': 'Profiles',
} as const;

const placeFilters = { countries: choices('Country', countryNames), channelIds: texts('Channel', 'sandbox') };

/** Filters of the list of days. */
export const dayFilters = { days: period('Days'), ...placeFilters };

/** Filters of the days that wait: of any time. */
export const waitingDayFilters = placeFilters;

/** Views of the days. */
export const dayViews = { grid: 'All days', toClose: 'To close', noStatement: 'No statement' } as const;

/** All URL parameters of the days. */
export const daySearch = { ...dayFilters, view: choice('View', dayViews) };

/** Filters of the list of breaks. */
export const breakFilters = {
  kinds: choices('Kind', breakKindWords),
  ...placeFilters,
  age: choice('Age', ageWords),
  assigned: assignedFilter,
  assignee: text('Assigned to', "an operator's id"),
  days: period('Expected on'),
  orderNo: text('Order', 'PI…'),
  fileNo: text('Statement', '12'),
};

/** Views of the list of breaks. */
export const breakViews = { open: 'Open', mine: 'Mine', posting: 'Being posted', ended: 'Ended', all: 'All' } as const;

/** All URL parameters of the list of breaks. */
export const breakSearch = { ...breakFilters, view: choice('View', breakViews) };

/** Filters of the list of statements. */
export const statementFilters = { states: choices('State', statementStateWords), ...placeFilters };

/** A file that is on the server already. */
export const importSearch = { country: text('Country'), fileNo: text('Statement', '12') };
