import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ActionButton } from '../actions/action-button.tsx';
import { groupCount } from '../format/money.ts';
import { formatDuration } from '../format/time.ts';
import {
  ChannelAdaptersDocument,
  ChannelListDocument,
  type ChannelRowFragment,
} from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Empty, Page } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useMe } from '../session/use-me.ts';
import { addChannel } from './add-channel.tsx';
import { channelConditionWords, enabledWord, modeWord, percentOf } from './channel-words.ts';

const route = getRouteApi('/shell/channels');
const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));

const columns: readonly Column<ChannelRowFragment>[] = [
  { id: 'channel', title: 'Channel', cell: ({ channelId }) => <span className="mono">{channelId}</span> },
  {
    id: 'enabled',
    title: 'New orders',
    phone: 'bottom',
    cell: ({ enabled }) => <Status word={enabledWord(enabled)} />,
  },
  {
    id: 'mode',
    title: 'Money',
    cell: ({ mode, modeProblem }) => <Status word={modeWord(mode, modeProblem)} />,
  },
  {
    id: 'condition',
    title: 'Now',
    phone: 'topEnd',
    cell: ({ health }) => <Status word={channelConditionWords[health.condition]} />,
  },
  { id: 'answered', title: 'Answered', align: 'end', cell: ({ health }) => percentOf(health.answerRate) },
  {
    id: 'calls',
    title: 'Calls',
    from: 60,
    align: 'end',
    cell: ({ health }) => (health.calls === null ? '–' : groupCount(health.calls)),
  },
  { id: 'p50', title: 'Median', align: 'end', isExtra: true, cell: ({ health }) => duration(health.p50Ms) },
  {
    id: 'p95',
    title: '95 of 100 within',
    align: 'end',
    phone: 'bottomEnd',
    cell: ({ health }) => duration(health.p95Ms),
  },
  {
    id: 'error',
    title: 'Last error',
    from: 60,
    wraps: true,
    cell: ({ health: { lastError } }) =>
      lastError ? (
        <>
          <Time at={lastError.at} /> <span className="soft">{lastError.message}</span>
        </>
      ) : (
        <span className="soft">none</span>
      ),
  },
  { id: 'adapter', title: 'Adapter', isExtra: true, cell: ({ adapter }) => adapter },
];

/** The channels, and how each answers now. */
export function ChannelsPage() {
  const search = route.useSearch();
  const list = useList(ChannelListDocument, pageArguments(search), (data) => data.channels);
  const pause = !useMe().roles.includes('ADMIN');
  const [{ data }] = useQuery({ query: ChannelAdaptersDocument, pause });
  return (
    <Page
      title="Channels"
      actions={<ActionButton action={addChannel(data?.channelAdapters ?? [])} onDone={list.refresh} />}
    >
      <ListTable
        name="channels"
        noun={['channel', 'channels']}
        columns={columns}
        list={list}
        rowKey={({ channelId }) => channelId}
        rowLink={({ channelId }) => ({ to: '/channels/$channelId', params: { channelId } })}
        empty={<Empty title="No channels yet">A channel carries orders to a bank or a payment provider.</Empty>}
      />
    </Page>
  );
}
