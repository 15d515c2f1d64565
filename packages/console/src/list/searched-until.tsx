import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { Notice } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';
import styles from './list.module.css';
import { type Connection, useSetSearch } from './use-list.ts';

/** Whether a page ended before it was full, because the search would have had to read too many rows. */
export function isCut({ searchedUntil, searchedUntilAmount }: Connection<unknown>): boolean {
  return (searchedUntil ?? searchedUntilAmount ?? null) !== null;
}

/** Shows how far the search of a page came, and continues it. */
export function SearchedUntil({ connection, noun }: { connection: Connection<unknown>; noun: string }) {
  const setSearch = useSetSearch();
  const { before } = useSearch({ strict: false }) as { before?: string };
  const { searchedUntil, searchedUntilAmount, pageInfo } = connection;
  const further =
    before === undefined ? { after: pageInfo.endCursor ?? undefined } : { before: pageInfo.startCursor ?? undefined };
  return (
    <div className={styles.part}>
      <Notice
        tone="info"
        action={
          <Button size="compact-sm" variant="default" onClick={() => setSearch(further)}>
            Search further
          </Button>
        }
      >
        Searched until {searchedUntil == null ? <>the amount {searchedUntilAmount}</> : <Time at={searchedUntil} />}.
        There may be more {noun} beyond. One more filter, or a shorter period, finds them faster.
      </Notice>
    </div>
  );
}
