import { groupCount } from '../format/money.ts';
import { formatDuration } from '../format/time.ts';
import type { HomeWorkQuery } from '../generated/documents.generated.ts';
import { ScreenLink } from '../parts/screen-link.tsx';
import styles from './home.module.css';
import { workGroups, workLists } from './home-words.ts';

type List = NonNullable<HomeWorkQuery['workLists']>[number];

/** What waits for people: how much, and for how long. */
export function Work({ lists }: { lists: readonly List[] }) {
  return (
    <section aria-label="Work that waits">
      <div className={styles.work}>
        {lists.map((list) => (
          <WorkCard key={list.list} list={list} />
        ))}
      </div>
      <div className={styles.groups}>
        {Object.keys(workGroups).map((title) => (
          <GroupCard key={title} title={title} lists={lists} />
        ))}
      </div>
    </section>
  );
}

function WorkCard({ list }: { list: List }) {
  const words = workLists[list.list];
  if (words === undefined) return null;
  const { label, to, search } = words;
  return (
    <div className={styles.card} data-empty={list.count === 0}>
      <span className={styles.count}>{countOf(list)}</span>
      <span>
        <ScreenLink to={to} {...(search && { search })}>
          {label}
        </ScreenLink>
      </span>
      <span className="soft">{list.oldestAt ? <Oldest at={list.oldestAt} /> : 'none'}</span>
    </div>
  );
}

/** Lists about one subject. A list that the operator may not see is left out, and so is a card without lists. */
function GroupCard({ title, lists }: { title: string; lists: readonly List[] }) {
  const words = workGroups[title] ?? {};
  const shown = Object.entries(words).flatMap(([name, word]) => {
    const list = lists.find((one) => one.list === name);
    return list ? [{ list, ...word }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <section className={styles.group} aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {shown.map(({ list, label, to, search }) => (
          <li key={list.list} data-empty={list.count === 0}>
            <ScreenLink to={to} {...(search && { search })}>
              {label}
            </ScreenLink>
            <span className="soft">{list.oldestAt ? <Oldest at={list.oldestAt} /> : 'none'}</span>
            <strong className={styles.part}>{countOf(list)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

function countOf({ count, isExact }: List): string {
  return `${isExact ? '' : '>'}${groupCount(count)}`;
}

function Oldest({ at }: { at: string }) {
  return (
    <>
      oldest <span className={styles.age}>{formatDuration(Date.now() - Date.parse(at))}</span>
    </>
  );
}
