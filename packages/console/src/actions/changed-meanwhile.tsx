import { Notice } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';
import type { Action, ActionValues } from './action.ts';
import styles from './actions.module.css';
import { beforeOf, isSameNode, type MovedField, movedFields } from './follow-change.ts';
import type { Changed } from './send-mutation.ts';

interface ChangedProps {
  /** The action when the dialog was opened. */
  opened: Action;
  /** The action that the page has now; null: the page no longer has it. */
  newest: Action | null;
  values: ActionValues;
  changed: Changed | null;
}

/** Shows that another operator changed the object of the dialog: the old value, the new value, and the typed value. */
export function ChangedMeanwhile({ opened, newest, values, changed }: ChangedProps) {
  const moved = newest ? movedFields(opened, newest, values) : [];
  const [was, now] = [beforeOf(opened, values), newest ? beforeOf(newest, values) : null];
  const isShown = newest !== null && !isSameNode(was, now);
  return (
    <Notice tone="bad">
      It has changed since you opened this. Nothing was done.
      {changed && <WhoWasFirst changed={changed} />}
      {isShown && (
        <div className={styles.compared}>
          <section>
            <h3>When you opened this</h3>
            {was}
          </section>
          <section>
            <h3>Now</h3>
            {now}
          </section>
        </div>
      )}
      <MovedFields moved={moved} />
      {newest !== null && !isShown && moved.length === 0 && (
        <p className={styles.changed}>What this dialog shows is the same. The audit log says what was changed.</p>
      )}
      <p className={styles.changed}>{whatNow(newest)}</p>
    </Notice>
  );
}

/** Whether the operator can continue with the new values. */
export function mayGoOn(newest: Action | null | undefined): newest is Action {
  return newest != null && !newest.blocked;
}

function whatNow(newest: Action | null): string {
  if (newest === null) return 'It cannot be done any more. The page behind shows its present state.';
  if (newest.blocked) return `It cannot be done any more. ${newest.blocked}`;
  return 'Go on keeps what you typed. Then check it and confirm it again.';
}

/** A table of what another operator changed, with what was typed. */
export function MovedFields({ moved }: { moved: readonly MovedField[] }) {
  if (moved.length === 0) return null;
  return (
    <table className={styles.moved}>
      <thead>
        <tr>
          {['Field', 'Was', 'Is now', 'You typed'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {moved.map(({ label, was, now, typed }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{was || '–'}</td>
            <td>{now || '–'}</td>
            <td>{typed === null ? <span className="soft">nothing</span> : typed || 'empty'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Who changed it last, and when. */
export function WhoWasFirst({ changed: { by, at } }: { changed: Changed }) {
  return (
    <span className={styles.changed}>
      Changed last by <strong>{by}</strong>
      {at !== null && (
        <>
          , <Time at={at} look="second" />
        </>
      )}
      .
    </span>
  );
}
