import { daysOf } from '../format/period.ts';
import { countryNames } from '../format/words.ts';
import type {
  Country,
  Currency,
  SettlementFileFilter,
  SettlementFilter,
  SettlementState,
} from '../generated/documents.generated.ts';
import { choice, choices, type FilterValues, period, text, texts } from '../list/filters.ts';

/** What the filter bar of the settlements offers. */
export const settlementFilters = {
  merchantIds: texts('Merchant', 'M1001'),
  countries: choices('Country', countryNames),
  run: period('Run on'),
  amount: choice('Amount', { some: 'Something to pay', none: 'Nothing to pay' }),
  settlementNo: text('Number', 'ST…'),
};

/** What the filter bar of the cycles offers. */
export const cycleFilters = { merchantIds: settlementFilters.merchantIds };

/** What the filter bar of the bank files offers. */
export const fileFilters = { countries: settlementFilters.countries };

/** The lists of settlements. */
export const settlementTabs = {
  '/settlements': 'Settlements',
  '/settlements/files': 'Bank files',
  '/settlements/cycles': 'Cycles',
} as const;

/** Ways to look at the settlements. */
export const settlementViews = {
  open: 'Open',
  drafts: 'Drafts',
  approved: 'To pay',
  paid: 'To confirm',
  confirmed: 'Confirmed',
  failed: 'Failed',
  all: 'All',
} as const;

/** Everything that the address of the settlements can say. */
export const settlementSearch = { ...settlementFilters, view: choice('View', settlementViews) };

const STATES: Readonly<Record<keyof typeof settlementViews, SettlementState[] | null>> = {
  open: ['DRAFT', 'APPROVED', 'PAID'],
  drafts: ['DRAFT'],
  approved: ['APPROVED'],
  paid: ['PAID'],
  confirmed: ['CONFIRMED'],
  failed: ['FAILED'],
  all: null,
};

const CURRENCIES: Readonly<Record<Country, Currency>> = { CN: 'CNY', TH: 'THB', IN: 'INR', PK: 'PKR' };

/** The filter of the API for what the address says. */
export function toSettlementFilter(
  { merchantIds, countries, run, amount, settlementNo }: FilterValues<typeof settlementFilters>,
  view: keyof typeof settlementViews,
  zone: string,
): SettlementFilter {
  const states = STATES[view];
  const days = run === undefined ? null : daysOf(run, zone);
  return {
    ...(merchantIds && { merchantIds }),
    ...(countries && { currencies: countries.map((country) => CURRENCIES[country as Country]) }),
    ...(days && { runDayFrom: days.firstDay, runDayTo: days.lastDay }),
    ...(amount && { hasAmount: amount === 'some' }),
    ...(settlementNo && /^ST[0-9A-Z]{4,33}$/.test(settlementNo) && { settlementNo }),
    ...(states && { states }),
  };
}

/** The filter of the API for bank files: they belong to the platform's tenant of a country. */
export function toFileFilter({ countries }: FilterValues<typeof fileFilters>): SettlementFileFilter {
  return { merchantIds: countries?.map((country) => `PLATFORM-${country}`) };
}
