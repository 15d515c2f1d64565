import type { WorkSort } from '../generated/documents.generated.ts';
import { choice } from '../list/filters.ts';

/** Orders of a list of work, in words. */
export const workSortWords: Readonly<Record<WorkSort, string>> = {
  OLDEST_FIRST: 'Oldest first',
  NEWEST_FIRST: 'Newest first',
  LARGEST_FIRST: 'Largest first',
  SMALLEST_FIRST: 'Smallest first',
};

/** The order of a list of work, from the URL. Apart from its field: routes are in the first load, fields are not. */
export const workSortFilter = choice('Order', workSortWords);
