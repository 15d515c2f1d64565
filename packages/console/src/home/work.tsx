import { groupCount } from '../format/money.ts';
import { formatDuration } from '../format/time.ts';
import type { HomeWorkQuery } from '../generated/documents.generated.ts';
import { ScreenLink } from '../parts/screen-link.tsx';
import styles from './home.module.css';
import { workLists } from './home-words.ts';

type List = NonNullable<HomeWorkQuery['workLists']>[number];

/** What waits for people: how much, and for how long. */
export function Work({ lists }: { lists: readonly List[] }) {
  return (
    <section className={styles.work} aria-label="Work that waits">
      {lists.map((list) => (
        <WorkCard key={list.list} list={list} />
      ))}
    </section>
  );
}

function WorkCard({ list: { list, count, isExact, oldestAt } }: { list: List }) {
  const { label, to, search } = workLists[list];
  return (
    <div className={styles.card} data-empty={count === 0}>
      <span className={styles.count}>{`${isExact ? '' : '>'}${groupCount(count)}`}</span>
      <span>
        <ScreenLink to={to} {...(search && { search })}>
          {label}
        </ScreenLink>
      </span>
      <span className="soft">{oldestAt ? <Oldest at={oldestAt} /> : 'none'}</span>
    </div>
  );
}

function Oldest({ at }: { at: string }) {
  return (
    <>
      oldest <span className={styles.age}>{formatDuration(Date.now() - Date.parse(at))}</span>
    </>
  );
}
