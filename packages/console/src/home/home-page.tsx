import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { HomeFiguresDocument, HomeWorkDocument } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Columns } from '../parts/columns.tsx';
import { Failure } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { Breakdown } from './breakdown.tsx';
import { dimensions } from './dimensions.ts';
import { FailureReasons } from './failure-reasons.tsx';
import { Hours } from './hours.tsx';
import { ChannelsNow, Queues } from './machinery.tsx';
import { Totals } from './totals.tsx';
import { Work } from './work.tsx';

const route = getRouteApi('/shell/');
/** How often figures and lists are read again, in milliseconds, while the page can be seen. */
const POLL_MS = 10_000;

/** The day so far, compared with yesterday until the same time, and what waits for people. */
export function HomePage() {
  const { by = 'country' } = route.useSearch();
  const timeZone = useTimeZone();
  const day = { period: 'TODAY', compareWith: 'DAY_BEFORE', timeZone } as const;
  const [{ data, error }, readFigures] = useQuery({
    query: HomeFiguresDocument,
    variables: {
      payins: { ...day, withTimes: true, kind: 'PAYIN' },
      payouts: { ...day, withTimes: true, kind: 'PAYOUT' },
      byPart: { ...day, by: [...new Set([dimensions[by].of, 'KIND' as const])] },
      byHour: { ...day, by: ['TIME'], grain: 'HOUR' },
    },
  });
  const [{ data: work, error: workError }, readWork] = useQuery({ query: HomeWorkDocument });
  const refresh = () => {
    readFigures({ requestPolicy: 'network-only' });
    readWork({ requestPolicy: 'network-only' });
  };
  usePoll(refresh, POLL_MS);
  const failed = error ?? workError;
  return (
    <Page title="Today">
      {failed && <Failure error={failed} retry={refresh} />}
      {work?.workLists && <Work lists={work.workLists} />}
      <Totals figures={data} />
      {data && (
        <Columns
          main={
            <>
              <Breakdown by={by} parts={data.parts ?? null} />
              <Hours hours={data.hours ?? null} zone={timeZone} />
            </>
          }
          side={
            <>
              <FailureReasons
                failures={[
                  ...(data.payins?.failures ?? []).map((one) => ({ ...one, kind: 'PAYIN' as const })),
                  ...(data.payouts?.failures ?? []).map((one) => ({ ...one, kind: 'PAYOUT' as const })),
                ].toSorted((a, b) => b.orders - a.orders)}
              />
              {work?.channels && <ChannelsNow channels={work.channels.edges.map(({ node }) => node)} />}
              {work?.queues && <Queues queues={work.queues} />}
            </>
          }
        />
      )}
    </Page>
  );
}
