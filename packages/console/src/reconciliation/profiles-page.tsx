import { useQuery } from 'urql';
import { ActionLink } from '../actions/action-link.tsx';
import { CsvProfileListDocument, type CsvProfileListQuery } from '../generated/documents.generated.ts';
import { Tabs } from '../list/views.tsx';
import { Lines } from '../parts/lines.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Page, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import { reconciliationTabs } from './reconciliation-filters.ts';

type Profile = NonNullable<CsvProfileListQuery['csvProfiles']>[number];

/** The CSV profiles: those that operators have set, and those that are built in. */
export function ProfilesPage() {
  const [{ data, error }, read] = useQuery({ query: CsvProfileListDocument, requestPolicy: 'cache-and-network' });
  // Null if they could not be read.
  const isRead = data?.csvProfiles != null;
  const profiles = data?.csvProfiles ?? [];
  const stored = new Set(profiles.map(({ format }) => format));
  const builtIn = isRead
    ? (data.statementFormats ?? []).filter((name) => name.startsWith('csv:') && !stored.has(name))
    : [];
  return (
    <Page
      title="CSV profiles"
      actions={
        <ActionLink operation="setCsvProfile" to="/reconciliation/new-profile">
          New profile
        </ActionLink>
      }
    >
      <Tabs label="Reconciliation" tabs={reconciliationTabs} current="/reconciliation/profiles" />
      {error && <Failure error={error} retry={() => read({ requestPolicy: 'network-only' })} />}
      <Panel title="Set by operators" isFlush>
        {profiles.length > 0 ? (
          <Stored profiles={profiles} />
        ) : (
          isRead && (
            <Empty title="No profile yet">
              A profile says how the CSV of a bank is read. Try it on a file before two operators agree on it.
            </Empty>
          )
        )}
      </Panel>
      {builtIn.length > 0 && (
        <Panel title="Built in">
          <p>
            {builtIn.join(', ')}. They come with the service, and are assumptions: compare them with a real file first.
          </p>
        </Panel>
      )}
    </Page>
  );
}

function Stored({ profiles }: { profiles: readonly Profile[] }) {
  return (
    <Lines
      label="CSV profiles"
      rows={profiles}
      rowKey={({ name }) => name}
      columns={[
        {
          title: 'Profile',
          wraps: true,
          cell: ({ name }) => (
            <ScreenLink to={`/reconciliation/profiles/${name}`}>
              <span className="mono">{name}</span>
            </ScreenLink>
          ),
        },
        { title: 'Format of its files', wraps: true, cell: ({ format }) => <span className="mono">{format}</span> },
        { title: 'Version', align: 'end', cell: ({ version }) => <span className="figures">{version}</span> },
        { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: 'Set by', cell: ({ createdBy }) => createdBy },
        { title: 'Approved by', cell: ({ approvedBy }) => approvedBy ?? <span className="soft">–</span> },
      ]}
    />
  );
}
