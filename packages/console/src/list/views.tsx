import { Link } from '@tanstack/react-router';
import styles from './views.module.css';

/** Views of a list. Without `view` in the URL it is the first. */
export function Views<View extends string>({
  views,
  current,
}: {
  views: Readonly<Record<View, string>>;
  current: View;
}) {
  const entries = Object.entries<string>(views);
  return (
    <nav className={styles.views} aria-label="Views">
      {entries.map(([view, label], i) => (
        <Link
          key={view}
          to="."
          search={
            ((old: Record<string, unknown>) => ({
              ...old,
              view: i === 0 ? undefined : view,
              after: undefined,
              before: undefined,
            })) as never
          }
          activeProps={{ 'aria-current': undefined }}
          aria-current={view === current ? 'page' : undefined}
          data-current={view === current}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Lists that belong together: their URLs and names. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: Readonly<Record<string, string>>;
  current: string;
}) {
  return (
    <nav className={styles.views} aria-label={label}>
      {Object.entries(tabs).map(([to, title]) => (
        <Link
          key={to}
          to={to as '/'}
          activeProps={{ 'aria-current': undefined }}
          aria-current={to === current ? 'page' : undefined}
          data-current={to === current}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
