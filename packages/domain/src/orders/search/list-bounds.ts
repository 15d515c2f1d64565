import { type Key, keyColumns, type Part } from '../../lists/keys.ts';
import type { Listing } from '../../lists/listing.ts';
import type { PageRequest } from '../../lists/page.ts';
import { orderBy } from '../../lists/read-page.ts';
import { type Add, asTime } from '../../lists/values.ts';
import type { OrderList } from './order-filter.ts';

// A search reads a list in parts. These are the bounds of the parts.

type Way = Pick<Listing, 'isReversed'>;

/** The rest of a page from this key on. `from` null: from its beginning. */
export function beginningAt(page: PageRequest<OrderList>, from: Key | null): PageRequest<OrderList> {
  return page.backward ? { ...page, before: from } : { ...page, after: from };
}

/** Whether the search goes upward: oldest or smallest first, or a page from the end in the other direction. */
export function isUpward(way: Way, page: PageRequest<OrderList>): boolean {
  return orderBy(way, page).endsWith(' asc');
}

/** The least distance between two bounds: a millisecond, or the smallest amount. */
const leastDistance: Record<Part, number> = { time: 1, decimal: 0.01, number: 1, text: 0, day: 1 };

/** Above this value a bound would not be exact. */
const largest = 1e13;

/**
 * The bound of the next round: `growth` times as far from `stop` as `stop` is from `from`, in the sorted column. The other columns of the bound have
 * their smallest values, so the bound is never the key of an order. Null: the bound would be outside of the possible values.
 */
export function boundAfter(
  { list }: PageRequest<OrderList>,
  from: Key,
  stop: Key,
  growth: number,
  goesUp: boolean,
): Key | null {
  const [[, part] = ['', 'time' as const], ...others] = keyColumns(list);
  const [a, b] = [Number(from[0]), Number(stop[0])];
  const distance = Math.max(leastDistance[part], Math.abs(b - a) * growth);
  const bound = goesUp ? b + distance : b - distance;
  if (bound <= 0 || bound >= largest) return null;
  const first = part === 'decimal' ? bound.toFixed(2) : Math.round(bound);
  return [first, ...others.map(([, of]) => (of === 'time' ? 0 : ''))];
}

/**
 * The bound of a round, by the first column alone: of two conditions on a column PostgreSQL takes the narrower one only if both are plain. Else it reads
 * to the end of the filter's range.
 */
export function upTo(way: Way, page: PageRequest<OrderList>, until: Key | null, add: Add): string[] {
  const [[column, part] = ['', 'time' as const]] = keyColumns(page.list);
  if (until === null) return [];
  const value = part === 'time' ? asTime(add(until[0])) : `${add(until[0])}::numeric`;
  return [`t.${column} ${isUpward(way, page) ? '<' : '>='} ${value}`];
}

/** The one of two bounds that comes first in the list. Null: there is no bound. */
export function nearer(one: Key | null, other: Key | null, goesUp: boolean): Key | null {
  if (one === null || other === null) return one ?? other;
  return Number(one[0]) < Number(other[0]) === goesUp ? one : other;
}
