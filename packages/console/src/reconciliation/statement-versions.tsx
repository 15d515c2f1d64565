import { useQuery } from 'urql';
import { StatementListDocument, type StatementRowFragment } from '../generated/documents.generated.ts';
import { Failure } from '../parts/notice.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { StatementLines } from './statement-lines.tsx';
import { tenantOf } from './to-filter.ts';

const MOST = 20;

/** Every file of the channel that covers the first day of this one, the newest first: a later file adds to an earlier one. */
export function StatementVersions({ statement }: { statement: StatementRowFragment }) {
  const { country, channelId, firstDay, id } = statement;
  const filter = {
    merchantIds: [tenantOf(country)],
    ...(channelId && { channelIds: [channelId] }),
    ...(firstDay && { day: firstDay }),
  };
  const isKnown = channelId !== null && firstDay !== null;
  const [{ data, error }, read] = useQuery({
    query: StatementListDocument,
    variables: { filter, first: MOST },
    pause: !isKnown,
  });
  const others = (data?.statements?.edges ?? []).map(({ node }) => node).filter((one) => one.id !== id);
  return (
    <Panel title="Other files of these days" isFlush>
      {error && <Failure error={error} retry={() => read({ requestPolicy: 'network-only' })} />}
      {others.length === 0 ? (
        <Empty title="No other file">
          {isKnown
            ? 'This is the only file of the channel for its first day.'
            : 'Its days are known once it is imported.'}
        </Empty>
      ) : (
        <StatementLines rows={others} />
      )}
    </Panel>
  );
}
