import styles from './shell.module.css';

/** The highest number that is shown. */
const MOST = 100;

/** A count next to an entry of the navigation. Zero shows nothing. */
export function NavigationBadge({ count, what }: { count: number; what: string }) {
  if (count === 0) return null;
  return (
    <span className={styles.badge}>
      {count >= MOST ? `${MOST}+` : count}
      <span className="hidden-visually"> {what}</span>
    </span>
  );
}
