import { NativeSelect } from '@mantine/core';
import type { WorkSort } from '../generated/documents.generated.ts';
import { useSetSearch } from '../list/use-list.ts';
import { workSortWords } from './work-sort.ts';

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
