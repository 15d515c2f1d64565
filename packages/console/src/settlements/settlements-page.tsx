import { getRouteApi } from '@tanstack/react-router';
import { ActionLink } from '../actions/action-link.tsx';
import { SettlementListDocument } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Tabs, Views } from '../list/views.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { settlementColumns, settlementLink } from './settlement-columns.tsx';
import { settlementFilters, settlementTabs, settlementViews, toSettlementFilter } from './settlement-filters.ts';

const route = getRouteApi('/shell/settlements');
/** How often the list is read again, in milliseconds. */
const POLL_MS = 15_000;

/** What merchants are paid to their banks: the newest first. */
export function SettlementsPage() {
  const search = route.useSearch();
  const { after: _after, before: _before, sort: _sort, view = 'open', ...filters } = search;
  const variables = { filter: toSettlementFilter(filters, view, useTimeZone()), ...pageArguments(search) };
  const list = useList(SettlementListDocument, variables, (data) => data.settlements);
  useApprovalNews(useSoon(list.refresh));
  usePoll(list.refresh, POLL_MS);
  return (
    <Page
      title="Settlements"
      actions={
        <ActionLink operation="draftSettlements" to="/settlements/run">
          Draft settlements
        </ActionLink>
      }
    >
      <Tabs label="Settlements" tabs={settlementTabs} current="/settlements" />
      <Views views={settlementViews} current={view} />
      <FilterBar filters={settlementFilters} values={filters} />
      <ListTable
        name="settlements"
        noun={['settlement', 'settlements']}
        columns={settlementColumns}
        list={list}
        rowKey={({ id }) => id}
        rowLink={settlementLink}
        empty={
          Object.keys(filters).length > 0 || view !== 'open' ? (
            <Empty title="No settlement matches">Remove a filter, or look at all settlements.</Empty>
          ) : (
            <Empty title="No open settlement">
              A run drafts what is due to merchants that have a settlement cycle: open{' '}
              <ScreenLink to="/merchants">a merchant</ScreenLink> to set one. What you paid yourself is booked in{' '}
              <ScreenLink to="/wallets">its wallet</ScreenLink>: Actions, Record a payment to the merchant.
            </Empty>
          )
        }
      />
    </Page>
  );
}
