import { type ReactNode, useEffect } from 'react';
import styles from './parts.module.css';

/** A screen: its title, which is also the browser tab's, its actions, and its content. */
export function Page({
  title,
  heading,
  actions,
  children,
}: {
  title: string;
  /** What is shown in place of the title's text. */
  heading?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Tidegate`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.pageHead}>
        {heading ?? <h1>{title}</h1>}
        {actions && <div className={styles.pageActions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A framed part of a screen. */
export function Panel({
  title,
  side,
  isFlush = false,
  children,
}: {
  title?: string;
  /** Right of the title: a count, a link, a button. */
  side?: ReactNode;
  /** Without inner distance, for tables. */
  isFlush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={styles.panel} aria-label={title}>
      {title !== undefined && (
        <div className={styles.panelHead}>
          <h2>{title}</h2>
          {side !== undefined && <div className={styles.panelSide}>{side}</div>}
        </div>
      )}
      <div className={isFlush ? undefined : styles.panelBody}>{children}</div>
    </section>
  );
}

/** Names and values. Values that are null, undefined, false or empty are left out. */
export function Facts({ values }: { values: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={styles.facts}>
      {Object.entries(values)
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The text of an empty panel: what it would contain, and how that is created. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
