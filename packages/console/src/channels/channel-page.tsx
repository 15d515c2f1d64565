import { getRouteApi } from '@tanstack/react-router';
import { ActionButton, ActionMenu } from '../actions/action-button.tsx';
import { blockedAsAllowed } from '../actions/allowed.tsx';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { groupCount } from '../format/money.ts';
import { formatDuration } from '../format/time.ts';
import { orderKindWords } from '../format/words.ts';
import { ChannelDetailDocument } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { Lines } from '../parts/lines.tsx';
import { Notice } from '../parts/notice.tsx';
import { Empty, Facts, Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { ChannelReconciliation } from '../reconciliation/channel-reconciliation.tsx';
import { useMe } from '../session/use-me.ts';
import { channelActions, mapBank } from './channel-actions.tsx';
import type { ChannelDetail } from './channel-detail.ts';
import { ChannelHistory } from './channel-history.tsx';
import { breakerWords, channelConditionWords, enabledWord, modeWord, percentOf } from './channel-words.ts';

const route = getRouteApi('/shell/channels/$channelId');

/** One channel: how it answers, over the last days too, its settings, its bank codes. */
export function ChannelPage() {
  const { channelId } = route.useParams();
  const withCredentials = useMe().roles.includes('ADMIN');
  const one = useDetail(ChannelDetailDocument, { channelId, withCredentials }, ({ channel }) =>
    channel?.channelId === channelId ? channel : null,
  );
  const { refresh } = one;
  useApprovalNews(useSoon(refresh));
  return (
    <DetailPage
      title={`Channel ${channelId}`}
      one={one}
      missing={['There is no such channel']}
      show={(channel, { approvals, channelAdapters }) => ({
        heading: (
          <Heading kind="Channel" title={channelId}>
            <Status word={enabledWord(channel.enabled)} />
            <Status word={channelConditionWords[channel.health.condition]} />
            <Status word={modeWord(channel.mode, channel.modeProblem)} />
          </Heading>
        ),
        actions: (
          <ActionMenu
            actions={blockedAsAllowed(channelActions(channel, channelAdapters ?? []), channel.actions)}
            onDone={refresh}
          />
        ),
        body: (
          <>
            <WaitingApprovals approvals={approvals} />
            {channel.modeProblem && <Notice tone="bad">This channel is not used: it {channel.modeProblem}.</Notice>}
            {!channel.enabled && (
              <Notice tone="warn">
                New orders do not go to this channel. Orders that are on it are still asked about.
              </Notice>
            )}
            <Health channel={channel} />
            <ChannelHistory hours={channel.health.history} />
            <ChannelReconciliation channelId={channelId} />
            <Banks channel={channel} onDone={refresh} />
          </>
        ),
      })}
    />
  );
}

function Health({ channel }: { channel: ChannelDetail }) {
  const { health, routing, adapter, baseUrl, declaration, payinExpirySeconds, credentials, changedAt } = channel;
  const count = (calls: number | null) => calls !== null && groupCount(calls);
  const duration = (ms: number | null) => ms !== null && formatDuration(ms);
  return (
    <Panel
      title="Now"
      side={
        <span>
          calls until <Time at={health.asOf} />
        </span>
      }
    >
      <Facts
        values={{
          Answered: percentOf(health.answerRate),
          Calls: count(health.calls),
          'Orders refused': count(health.refused),
          Callbacks: count(health.callbacks),
          'Median time': duration(health.p50Ms),
          '95 of 100 within': duration(health.p95Ms),
          'Calls at once': health.isFull && 'All in use',
          'New orders': routing && breakerWords[routing.breaker].label,
          'Creates answered': routing && percentOf(routing.successRate),
          'Last error': health.lastError && (
            <>
              <Time at={health.lastError.at} /> {health.lastError.message}
            </>
          ),
          Adapter: adapter,
          'Declared as': declaration && (
            <>
              {modeWord(declaration.mode, null).label} by {declaration.declaredBy}
              {declaration.approver && ` and ${declaration.approver}`}: {declaration.evidence}
            </>
          ),
          URL: baseUrl && <Copyable text={baseUrl} what="URL" />,
          Credentials: credentials?.map(({ name }) => name).join(', ') || null,
          'A payin expires after': formatDuration(payinExpirySeconds * 1_000),
          Changed: <Time at={changedAt} />,
        }}
      />
    </Panel>
  );
}

function Banks({ channel, onDone }: { channel: ChannelDetail; onDone(): void }) {
  const { edges, totalCount } = channel.bankMappings;
  return (
    <Panel
      title={`Bank codes (${groupCount(totalCount)})`}
      side={<ActionButton action={mapBank(channel)} onDone={onDone} size="compact-xs" />}
      isFlush
    >
      {edges.length === 0 ? (
        <Empty title="No bank codes">Orders go to the channel with the code that the merchant sent.</Empty>
      ) : (
        <Lines
          label="Bank codes"
          rows={edges.map(({ node }) => node)}
          rowKey={({ kind, bankCode }) => `${kind} ${bankCode}`}
          columns={[
            { title: 'For', cell: ({ kind }) => orderKindWords[kind].label },
            { title: "Merchant's code", cell: ({ bankCode }) => <span className="mono">{bankCode}</span> },
            { title: "Channel's code", cell: ({ channelBankCode }) => <span className="mono">{channelBankCode}</span> },
          ]}
        />
      )}
    </Panel>
  );
}
