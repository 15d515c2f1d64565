import { daysOf } from '../format/period.ts';
import { addDays, dayOf } from '../format/time.ts';
import type { BreakFilter, ChannelStatementFilter, WaitingDayFilter } from '../generated/documents.generated.ts';
import type { FilterValues } from '../list/filters.ts';
import type { breakFilters, breakViews, dayFilters, statementFilters } from './reconciliation-filters.ts';
import type { ageWords } from './reconciliation-words.ts';

/** The API returns at most this many days. */
const MAX_DAYS = 62;
/** The number of days without a chosen period. */
const USUAL_DAYS = 14;

/** The platform's tenant of a country, which the API keeps statements, breaks and days for. */
export function tenantOf(country: string): string {
  return `PLATFORM-${country}`;
}

type PlaceFilters = Pick<FilterValues<typeof dayFilters>, 'countries' | 'channelIds'>;

function toTenantsAndChannels({ countries, channelIds }: PlaceFilters): {
  merchantIds?: string[];
  channelIds?: string[];
} {
  return { ...(countries && { merchantIds: countries.map(tenantOf) }), ...(channelIds && { channelIds }) };
}

/** The API input for the days in the page's URL; of a longer range the last 62 days. */
export function toDaysInput({ days, ...places }: FilterValues<typeof dayFilters>, zone: string, now = new Date()) {
  const today = dayOf(now, zone);
  const { firstDay, lastDay } =
    days === undefined ? { firstDay: addDays(today, 1 - USUAL_DAYS), lastDay: today } : daysOf(days, zone, now);
  return {
    from: latest(firstDay, addDays(lastDay, 1 - MAX_DAYS)) ?? firstDay,
    to: lastDay,
    ...toTenantsAndChannels(places),
  };
}

/** The API filter for the days that wait for this. */
export function toWaitingDayFilter(places: PlaceFilters, view: 'toClose' | 'noStatement'): WaitingDayFilter {
  return { waitsFor: view === 'toClose' ? 'CLOSING' : 'STATEMENT', ...toTenantsAndChannels(places) };
}

const STATES = {
  open: { states: ['OPEN'] },
  mine: { states: ['OPEN'], assigned: 'ME' },
  posting: { states: ['POSTING'] },
  ended: { states: ['MATCHED', 'LINKED', 'POSTED', 'WRITTEN_OFF', 'CHARGED'] },
  all: {},
} satisfies Record<keyof typeof breakViews, BreakFilter>;

/** Age in days, from and to. Null: no upper limit. */
const AGES: Readonly<Record<keyof typeof ageWords, readonly [least: number, most: number | null]>> = {
  upTo1Day: [0, 1],
  days2to3: [2, 3],
  days4to7: [4, 7],
  over7Days: [8, null],
};

/** The API filter for the filters in the page's URL. */
export function toBreakFilter(
  { countries, channelIds, age, days, fileNo, assigned, assignee, ...rest }: FilterValues<typeof breakFilters>,
  view: keyof typeof breakViews,
  zone: string,
  now = new Date(),
): BreakFilter {
  const chosen = days === undefined ? null : daysOf(days, zone, now);
  const today = dayOf(now, zone);
  const [least, most] = age === undefined ? [null, null] : AGES[age];
  const from = latest(chosen?.firstDay, most === null ? undefined : addDays(today, -most));
  const to = earliest(chosen?.lastDay, least === null || least === 0 ? undefined : addDays(today, -least));
  return {
    ...rest,
    ...toTenantsAndChannels({ countries, channelIds }),
    ...(from !== undefined && { dayFrom: from }),
    ...(to !== undefined && { dayTo: to }),
    ...(fileNo !== undefined && /^[1-9]\d{0,8}$/.test(fileNo) && { fileNo: Number(fileNo) }),
    // The API accepts only one of the two.
    ...(assignee === undefined ? assigned !== undefined && { assigned } : { assignee }),
    ...STATES[view],
    ...(view === 'mine' && { assignee: undefined }),
  };
}

function latest(...days: (string | undefined)[]): string | undefined {
  return inOrder(days).at(-1);
}

function earliest(...days: (string | undefined)[]): string | undefined {
  return inOrder(days).at(0);
}

function inOrder(days: readonly (string | undefined)[]): string[] {
  return days.filter((day) => day !== undefined).toSorted();
}

/** The API filter for the filters in the page's URL. */
export function toStatementFilter({
  states,
  ...places
}: FilterValues<typeof statementFilters>): ChannelStatementFilter {
  return { ...(states && { states }), ...toTenantsAndChannels(places) };
}
