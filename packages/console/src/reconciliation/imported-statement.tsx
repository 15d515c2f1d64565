import { Button } from '@mantine/core';
import { useQuery } from 'urql';
import { addDays } from '../format/time.ts';
import { asSentence } from '../format/words.ts';
import { StatementNowDocument, type StatementRowFragment } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Notice } from '../parts/notice.tsx';
import { Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { showDay } from './day-look.ts';
import styles from './reconciliation.module.css';
import { StatementLines } from './statement-lines.tsx';

/** How often the import is asked about, in milliseconds. */
const POLL_MS = 1_500;
/** More days than these are not listed. */
const MAX_DAYS = 10;

interface ImportedProps {
  statement: StatementRowFragment;
  isRepeat: boolean;
  another(): void;
}

/** Shows the progress of an uploaded file: it is imported automatically, or refused. */
export function ImportedStatement({ statement, isRepeat, another }: ImportedProps) {
  const [{ data }, read] = useQuery({ query: StatementNowDocument, variables: { id: statement.id } });
  const now = data?.node?.__typename === 'ChannelStatement' ? data.node : statement;
  const isMoving = now.state === 'RECEIVED';
  usePoll(() => read({ requestPolicy: 'network-only' }), isMoving ? POLL_MS : null);
  return (
    <>
      {isRepeat && (
        <Notice tone="warn">The same content was imported before, as no. {now.fileNo}. Nothing has changed.</Notice>
      )}
      {isMoving && <Notice tone="info">The file is being imported. This takes some seconds.</Notice>}
      {now.state === 'REFUSED' && (
        <Notice tone="bad">
          None of its lines counts. {asSentence(now.refusal ?? 'no reason is known')} Ask for another file, or import it
          in another format.
        </Notice>
      )}
      {now.state === 'IMPORTED' && !isRepeat && <Notice tone="good">The file is imported.</Notice>}
      <Panel title="Statement" isFlush>
        <StatementLines rows={[now]} />
      </Panel>
      {now.state === 'IMPORTED' && <Days statement={now} />}
      <div>
        <Button variant="default" onClick={another}>
          Import another
        </Button>
      </div>
    </>
  );
}

/** Leads to the days that the file covers. */
function Days({ statement: { country, channelId, firstDay, lastDay } }: { statement: StatementRowFragment }) {
  if (channelId === null || firstDay === null || lastDay === null) return null;
  const days: string[] = [];
  for (let day = firstDay; day <= lastDay && days.length <= MAX_DAYS; day = addDays(day, 1)) days.push(day);
  return (
    <Panel title="Its days">
      {days.length > MAX_DAYS ? (
        <ScreenLink to="/reconciliation" search={{ channelIds: channelId, days: `${firstDay}..${lastDay}` }}>
          See how they stand
        </ScreenLink>
      ) : (
        <ul className={styles.missing}>
          {days.map((day) => (
            <li key={day}>
              <ScreenLink to={`/reconciliation/days/${country}/${channelId}/${day}`}>
                {showDay(day, 'dayMonthYear')}
              </ScreenLink>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
