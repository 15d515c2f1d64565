import { attemptErrors } from '../format/attempt-words.ts';
import { formatDuration } from '../format/time.ts';
import { notificationStateWords, orderStatusWords } from '../format/words.ts';
import { CopyButton } from '../parts/copyable.tsx';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { Raw } from '../parts/timeline.tsx';
import { whyNone } from './money-words.ts';
import styles from './order.module.css';
import type { OrderDetail, OrderNotification } from './order-detail.ts';

type Attempt = OrderNotification['attempts'][number];

/** Notifications of the order: what was sent, each attempt, and the merchant's answers. */
export function OrderNotifications({ order }: { order: OrderDetail }) {
  const { edges, totalCount } = order.notifications;
  return (
    <Panel title="Notifications" side={totalCount} isFlush>
      {edges.length === 0 && <p className={`${styles.notification} soft`}>{whyNone(order)}</p>}
      {edges.map(({ node }) => (
        <OneNotification key={node.id} notification={node} />
      ))}
    </Panel>
  );
}

function OneNotification({ notification }: { notification: OrderNotification }) {
  const { status, state, url, body, attempts } = notification;
  return (
    <article className={styles.notification}>
      <div className={styles.notificationHead}>
        <strong>{orderStatusWords[status].label}</strong>
        <Status word={notificationStateWords[state]} />
        <span className="soft mono">{url}</span>
      </div>
      {attempts.length > 0 && (
        <Lines label="Attempts" columns={attemptColumns} rows={attempts} rowKey={({ attempt }) => attempt} />
      )}
      <details className={styles.details}>
        <summary>Body as it is sent</summary>
        <Raw text={body} />
        <CopyButton text={body} what="body" />
      </details>
    </article>
  );
}

const attemptColumns: LineColumn<Attempt>[] = [
  { title: 'Attempt', cell: ({ attempt }) => <span className="figures">{attempt}</span> },
  { title: 'Time', cell: ({ startedAt }) => <Time at={startedAt} /> },
  { title: 'Answer', wraps: true, cell: (attempt) => <Answer attempt={attempt} /> },
  {
    title: 'Took',
    align: 'end',
    cell: ({ durationMs }) => <span className="figures">{formatDuration(durationMs)}</span>,
  },
];

function Answer({ attempt }: { attempt: Attempt }) {
  const { httpStatus, error, reply, address } = attempt;
  const isGood = httpStatus === 200 && error === null;
  return (
    <>
      <span className={styles.code} data-good={isGood}>
        {httpStatus === null ? 'No answer' : `HTTP ${httpStatus}`}
      </span>{' '}
      {error && error !== 'status' && (attemptErrors[error]?.label ?? error)}
      {reply && <div className="mono soft">{reply.length > 300 ? `${reply.slice(0, 300)} …` : reply}</div>}
      {address && <div className="soft mono">{address}</div>}
    </>
  );
}
