import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useQuery } from 'urql';
import { ReconciliationGridDocument } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { useListWidth } from '../list/use-list-width.ts';
import { Tabs, Views } from '../list/views.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Page, Panel } from '../parts/page.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { DayCounts, DayGrid, shownDays } from './day-grid.tsx';
import { showDay } from './day-look.ts';
import { ImportLink } from './import-link.tsx';
import { dayFilters, dayViews, reconciliationTabs } from './reconciliation-filters.ts';
import { toDaysInput } from './to-filter.ts';
import { WaitingDays } from './waiting-days.tsx';

const route = getRouteApi('/shell/reconciliation');
/** How often the grid is read again, in milliseconds. */
const POLL_MS = 30_000;

/** The state of the days of each channel, or the days that wait for operators. */
export function DaysPage() {
  const { view = 'grid' } = route.useSearch();
  return (
    <Page title="Reconciliation" actions={<ImportLink />}>
      <Tabs label="Reconciliation" tabs={reconciliationTabs} current="/reconciliation" />
      <Views views={dayViews} current={view} />
      {view === 'grid' ? <Grid /> : <WaitingDays view={view} />}
    </Page>
  );
}

function Grid() {
  const { after: _after, before: _before, sort: _sort, view: _view, ...filters } = route.useSearch();
  const input = toDaysInput(filters, useTimeZone());
  const [{ data, error, fetching }, read] = useQuery({ query: ReconciliationGridDocument, variables: { input } });
  const refresh = () => read({ requestPolicy: 'network-only' });
  usePoll(refresh, POLL_MS);
  const days = data?.reconciliationDays ?? null;
  const frame = useRef<HTMLDivElement>(null);
  const shown = shownDays(input, useListWidth(frame));
  // The title names the days that are shown, and the counts are about these too.
  const first = days && days.length > 0 ? (shown.at(-1) ?? input.from) : input.from;
  return (
    <>
      <FilterBar filters={dayFilters} values={filters} />
      {error && <Failure error={error} retry={refresh} />}
      {days && days.length > 0 && <DayCounts days={days.filter(({ day }) => day >= first)} />}
      {!error && (
        <div ref={frame}>
          <Panel title={`${showDay(first, 'dayMonthYear')} to ${showDay(input.to, 'dayMonthYear')}`} isFlush>
            {days === null && <Empty title={fetching ? 'Loading …' : 'No days'} />}
            {days?.length === 0 && (
              <Empty title="No channel is reconciled in these days">
                Import a statement. It says from which day its channel is reconciled.
              </Empty>
            )}
            {days && days.length > 0 && <DayGrid days={days} from={input.from} shown={shown} search={filters} />}
          </Panel>
        </div>
      )}
    </>
  );
}
