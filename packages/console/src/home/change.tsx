import styles from './home.module.css';

/** How a figure moved since the period before, in percent. Nothing where there is nothing to compare with. */
export function Change({ now, before }: { now: number | null; before: number | null | undefined }) {
  if (now === null || before === null || before === undefined || before === 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '±';
  return (
    <span className={styles.change} title="compared with yesterday until the same time">
      {sign}
      {Math.abs(percent)} %
    </span>
  );
}
