import type { ReactNode } from 'react';
import styles from './columns.module.css';

/** Two columns: what the screen is about, and what belongs to it. On narrow screens the second is below the first. */
export function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>{main}</div>
      <div className={styles.column}>{side}</div>
    </div>
  );
}

/** The head of a page about one object: its kind (if it is not obvious), its main figure or name, and its state. */
export function Heading({ kind, title, children }: { kind?: string; title: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.heading}>
      {kind !== undefined && <span className={styles.kind}>{kind}</span>}
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  );
}
