import { getRouteApi } from '@tanstack/react-router';
import { ActionButton } from '../actions/action-button.tsx';
import { listRoles } from '../actions/operation.ts';
import { plainWords, roleWords } from '../format/words.ts';
import { OperatorListDocument, type OperatorRowFragment } from '../generated/documents.generated.ts';
import { operations } from '../generated/operations.generated.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Lines } from '../parts/lines.tsx';
import { Empty, Page, Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { createOperator } from './operator-actions.tsx';
import { operatorFilters, toOperatorFilter } from './operator-filters.ts';
import { enabledWord, restrictionOf } from './operator-words.ts';

const route = getRouteApi('/shell/operators');

const columns: readonly Column<OperatorRowFragment>[] = [
  { id: 'name', title: 'Name', cell: ({ name }) => name },
  { id: 'id', title: 'Id', phone: 'bottom', cell: ({ operatorId }) => <span className="mono">{operatorId}</span> },
  { id: 'roles', title: 'Roles', phone: 'bottomEnd', wraps: true, cell: ({ roles }) => rolesOf(roles) },
  { id: 'sees', title: 'Sees', from: 46, wraps: true, cell: restrictionOf },
  { id: 'state', title: 'State', phone: 'topEnd', cell: ({ enabled }) => <Status word={enabledWord(enabled)} /> },
  { id: 'created', title: 'Created', isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function rolesOf(roles: readonly string[]): string {
  return roles.map((role) => roleWords[role] ?? role).join(', ');
}

/** The operators, and who may do what. */
export function OperatorsPage() {
  const search = route.useSearch();
  const { after, before, sort, ...filters } = search;
  const filter = toOperatorFilter(filters);
  const list = useList(OperatorListDocument, { filter, ...pageArguments(search) }, (data) => data.operators);
  return (
    <Page title="Operators" actions={<ActionButton action={createOperator()} onDone={list.refresh} variant="filled" />}>
      <FilterBar filters={operatorFilters} values={filters} />
      <ListTable
        name="operators"
        noun={['operator', 'operators']}
        columns={columns}
        list={list}
        rowKey={({ operatorId }) => operatorId}
        rowLink={({ operatorId }) => ({ to: '/operators/$operatorId', params: { operatorId } })}
        empty={<Empty title="No operator matches">Remove a filter.</Empty>}
      />
      <Panel title="Who may do what" isFlush>
        <Lines label="Operations and their roles" columns={rightColumns} rows={rights} rowKey={({ name }) => name} />
      </Panel>
    </Page>
  );
}

const rights = Object.entries(operations)
  .map(([name, { summary, roles }]) => ({ name, summary, roles }))
  .filter(({ roles }) => roles.length > 0);

const rightColumns = [
  { title: 'Operation', cell: ({ name }: { name: string }) => plainWords(name) },
  { title: 'Roles', cell: ({ roles }: { roles: readonly string[] }) => listRoles(roles) },
  { title: 'What it does', cell: ({ summary }: { summary: string }) => summary },
];
