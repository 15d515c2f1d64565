import { channelConditionWords, percentOf } from '../channels/channel-words.ts';
import { groupCount } from '../format/money.ts';
import { formatDuration } from '../format/time.ts';
import { plainWords } from '../format/words.ts';
import type { HomeWorkQuery } from '../generated/documents.generated.ts';
import { Lines } from '../parts/lines.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { queueWords } from './home-words.ts';

type Channel = NonNullable<HomeWorkQuery['channels']>['edges'][number]['node'];
type Queue = NonNullable<HomeWorkQuery['queues']>[number];

/** How each channel answers now. */
export function ChannelsNow({ channels }: { channels: readonly Channel[] }) {
  return (
    <Panel title="Channels" isFlush>
      {channels.length === 0 ? (
        <Empty title="No channels" />
      ) : (
        <Lines
          label="Channels"
          rows={channels}
          rowKey={({ channelId }) => channelId}
          columns={[
            {
              title: 'Channel',
              cell: ({ channelId, enabled }) => (
                <>
                  <ScreenLink to={`/channels/${channelId}`}>{channelId}</ScreenLink> {!enabled && '(off)'}
                </>
              ),
            },
            { title: 'Now', cell: ({ health }) => <Status word={channelConditionWords[health.condition]} /> },
            { title: 'Answered', align: 'end', cell: ({ health }) => percentOf(health.answerRate) },
          ]}
        />
      )}
    </Panel>
  );
}

/** Work of the processes: how much waits, and for how long. */
export function Queues({ queues }: { queues: readonly Queue[] }) {
  return (
    <Panel title="Queues" isFlush>
      <Lines
        label="Queues"
        rows={queues}
        rowKey={({ name }) => name}
        columns={[
          { title: 'Queue', cell: ({ name }) => queueWords[name] ?? plainWords(name) },
          { title: 'Waiting', align: 'end', cell: ({ waiting }) => groupCount(waiting) },
          { title: 'In work', align: 'end', cell: ({ active }) => groupCount(active) },
          {
            title: 'Oldest',
            align: 'end',
            cell: ({ oldestWaitingMs }) => (oldestWaitingMs === null ? '–' : formatDuration(oldestWaitingMs)),
          },
        ]}
      />
    </Panel>
  );
}
