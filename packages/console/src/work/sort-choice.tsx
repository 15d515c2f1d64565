import { NativeSelect } from '@mantine/core';
import type { WorkSort } from '../generated/documents.generated.ts';
import { choice } from '../list/filters.ts';
import { useSetSearch } from '../list/use-list.ts';

const workSortWords: Readonly<Record<WorkSort, string>> = {
  OLDEST_FIRST: 'Oldest first',
  NEWEST_FIRST: 'Newest first',
  LARGEST_FIRST: 'Largest first',
  SMALLEST_FIRST: 'Smallest first',
};

/** The order of a list of work, as the address has it. */
export const workSortFilter = choice('Order', workSortWords);

/** Chooses the order of a list of work. */
export function SortChoice({ value, first = 'OLDEST_FIRST' }: { value: WorkSort | undefined; first?: WorkSort }) {
  const setSearch = useSetSearch();
  return (
    <NativeSelect
      size="xs"
      aria-label="Order of the list"
      value={value ?? first}
      data={Object.entries(workSortWords).map(([sort, label]) => ({ value: sort, label }))}
      onChange={({ currentTarget }) =>
        setSearch({ sortBy: currentTarget.value === first ? undefined : currentTarget.value })
      }
    />
  );
}
