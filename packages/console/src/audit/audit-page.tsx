import { getRouteApi } from '@tanstack/react-router';
import { AuditLogDocument, type AuditLogFilter, type AuditRowFragment } from '../generated/documents.generated.ts';
import { CsvButton, type CsvColumns } from '../list/csv-button.tsx';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList, useSetSearch } from '../list/use-list.ts';
import { Tabs } from '../list/views.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { useMe } from '../session/use-me.ts';
import { auditColumns } from './audit-columns.tsx';
import { auditFilters, auditTabs, toAuditFilter } from './audit-filters.ts';
import { AuditRecord } from './audit-record.tsx';

const route = getRouteApi('/shell/audit');

/** What operators did, the newest first. */
export function AuditPage() {
  const search = route.useSearch();
  const setSearch = useSetSearch();
  const zone = useTimeZone();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const { after, before, sort: _, record, ...filters } = search;
  const filter = toAuditFilter(filters, zone);
  const list = useList(AuditLogDocument, { filter, withPersonal, ...pageArguments(search) }, (data) => data.auditLog);
  const open = list.rows.find((row) => keyOf(row) === record);
  return (
    <Page title="Audit" actions={<AuditCsv filter={filter} withPersonal={withPersonal} />}>
      <Tabs label="Audit" tabs={auditTabs} current="/audit" />
      <FilterBar filters={auditFilters} values={filters} />
      <ListTable
        name="audit"
        noun={['record', 'records']}
        columns={auditColumns}
        list={list}
        rowKey={keyOf}
        rowLink={(row) => ({ to: '/audit', search: { ...search, record: keyOf(row) } })}
        empty={<NoRecords isFiltered={Object.keys(filters).length > 0} />}
      />
      {open && <AuditRecord record={open} close={() => setSearch({ after, before, record: undefined })} />}
    </Page>
  );
}

function keyOf({ merchantId, auditNo }: AuditRowFragment): string {
  return `${merchantId} ${auditNo}`;
}

const CSV: CsvColumns<AuditRowFragment> = [
  ['time', ({ at }) => at],
  ['action', ({ action }) => action],
  ['operator', ({ actor }) => actor],
  ['approved by', ({ approver }) => approver],
  ['merchant', ({ merchantId }) => merchantId],
  ['about', ({ subject }) => subject],
  ['reason', ({ reason }) => reason],
  ['number', ({ auditNo }) => String(auditNo)],
  ['batch', ({ batchNo }) => String(batchNo)],
];

function AuditCsv({ filter, withPersonal }: { filter: AuditLogFilter; withPersonal: boolean }) {
  return (
    <CsvButton
      file="audit-log.csv"
      what="records"
      columns={CSV}
      document={AuditLogDocument}
      variables={{ filter, withPersonal }}
      pick={(data) => data.auditLog}
    />
  );
}

function NoRecords({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No record matches">
        Remove a filter, or choose a longer time. A search looks at one part after the other.
      </Empty>
    );
  return (
    <Empty title="No records yet">Every action of an operator is recorded here, with its reason, permanently.</Empty>
  );
}
