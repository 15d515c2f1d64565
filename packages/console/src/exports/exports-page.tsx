import { getRouteApi } from '@tanstack/react-router';
import { ExportListDocument, type ExportRowFragment } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import type { Column } from '../list/columns.ts';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { sizeOf } from '../work/files.tsx';
import { CancelButton } from './buttons.tsx';
import { exportKindWords, exportStateWords, isOpen, progressOf } from './words.ts';

const route = getRouteApi('/shell/exports');
/** How often the list is read again while a file is being written, in milliseconds. */
const POLL_MS = 2_000;

/** The exports that this operator requested: how far each is, its file, and until when it is kept. */
export function ExportsPage() {
  const list = useList(ExportListDocument, pageArguments(route.useSearch()), (data) => data.exports);
  usePoll(list.refresh, list.rows.some(isOpen) ? POLL_MS : null);
  return (
    <Page title="Exports">
      <ListTable
        name="exports"
        noun={['export', 'exports']}
        columns={columnsFor(list.refresh)}
        list={list}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No export yet">
            Export <ScreenLink to="/orders">orders</ScreenLink> or the statement of a{' '}
            <ScreenLink to="/wallets">wallet</ScreenLink>. A file is kept for 7 days.
          </Empty>
        }
      />
    </Page>
  );
}

function columnsFor(refresh: () => void): readonly Column<ExportRowFragment>[] {
  return [
    { id: 'kind', title: 'Export', cell: ({ kind }) => exportKindWords[kind] },
    {
      id: 'file',
      title: 'File',
      isFixed: true,
      phone: 'topEnd',
      cell: (row) => (
        <>
          {row.path !== null && <DownloadButton path={row.path} name={row.name} />}
          {(isOpen(row) || row.path !== null) && <CancelButton row={row} refresh={refresh} />}
        </>
      ),
    },
    {
      id: 'state',
      title: 'State',
      phone: 'bottom',
      isFixed: true,
      cell: (row) => (
        <>
          <Status word={exportStateWords[row.state]} />
          {row.failure !== null && <span className="soft"> {row.failure}</span>}
        </>
      ),
    },
    { id: 'rows', title: 'Rows', align: 'end', phone: 'bottomEnd', cell: progressOf },
    { id: 'name', title: 'Name', from: 60, wraps: true, cell: ({ name }) => <span className="mono">{name}</span> },
    { id: 'size', title: 'Size', from: 46, align: 'end', cell: ({ sizeBytes }) => sizeOf(sizeBytes) },
    { id: 'requested', title: 'Requested', cell: ({ requestedAt }) => <Time at={requestedAt} /> },
    {
      id: 'expires',
      title: 'Kept until',
      from: 54,
      cell: ({ expiresAt }) => (expiresAt === null ? <span className="soft">–</span> : <Time at={expiresAt} />),
    },
    { id: 'by', title: 'By', from: 70, cell: ({ requestedBy }) => requestedBy },
    { id: 'format', title: 'Format', isExtra: true, cell: ({ format }) => format },
  ];
}
