import { Button } from '@mantine/core';
import { Icon } from '../parts/icon.tsx';
import styles from './list.module.css';
import { type Connection, useSetSearch } from './use-list.ts';

/** Forward and back. The cursor is in the URL, so that reload and the browser's back button work. */
export function Pager({ pageInfo }: { pageInfo: Connection<unknown>['pageInfo'] }) {
  const setSearch = useSetSearch();
  const { hasPreviousPage, hasNextPage, startCursor, endCursor } = pageInfo;
  if (!hasPreviousPage && !hasNextPage) return null;
  return (
    <nav className={styles.pager} aria-label="Pages">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="left" size={14} />}
        disabled={!hasPreviousPage}
        onClick={() => setSearch({ before: startCursor ?? undefined })}
      >
        Previous
      </Button>
      <Button
        variant="default"
        size="compact-sm"
        rightSection={<Icon name="right" size={14} />}
        disabled={!hasNextPage}
        onClick={() => setSearch({ after: endCursor ?? undefined })}
      >
        Next
      </Button>
    </nav>
  );
}
