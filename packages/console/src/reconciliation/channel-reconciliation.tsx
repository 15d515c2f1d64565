import { useQuery } from 'urql';
import { type Action, defineAction } from '../actions/action.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { Before } from '../actions/action-dialog.tsx';
import { listRoles, operationNamed } from '../actions/operation.ts';
import { unlessRequested, type Waiting, WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { countryNames } from '../format/words.ts';
import {
  ChannelReconciliationsDocument,
  type ChannelReconciliationsQuery,
  type Country,
  SetReconciliationDocument,
} from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { useMe, useOwnCountries } from '../session/use-me.ts';
import { changedReconciliation } from './changed-reconciliation.ts';
import { showDay } from './day-look.ts';
import { tenantOf } from './to-filter.ts';

type Settings = NonNullable<ChannelReconciliationsQuery['channel']>['reconciliations'][number];

/** First day of a channel's reconciliation in each country, its tolerance and its account. */
export function ChannelReconciliation({ channelId }: { channelId: string }) {
  const me = useMe();
  const withPersonal = me.roles.some((role) => role !== 'VIEWER');
  const [{ data, error }, read] = useQuery({
    query: ChannelReconciliationsDocument,
    variables: { channelId, withPersonal },
  });
  const refresh = () => read({ requestPolicy: 'network-only' });
  const settings = data?.channel?.reconciliations ?? [];
  const others = useOwnCountries().filter((country) => settings.every((one) => one.country !== country));
  useApprovalNews(useSoon(refresh));
  return (
    <>
      <WaitingApprovals approvals={data?.approvals} />
      <Panel
        title="Reconciliation"
        side={
          others.length > 0 && (
            <ActionButton action={setReconciliation(channelId, null, others)} onDone={refresh} size="compact-xs" />
          )
        }
        isFlush
      >
        {error && <Failure error={error} retry={refresh} />}
        {settings.length === 0 ? (
          <Empty title="Not reconciled">The first statement that is imported says from which day it is.</Empty>
        ) : (
          <Lines
            label="Reconciliation by country"
            rows={settings}
            rowKey={({ country }) => country}
            columns={[
              {
                title: 'Country',
                cell: ({ country }) => (
                  <ScreenLink to="/reconciliation" search={{ countries: country, channelIds: channelId }}>
                    {countryNames[country]}
                  </ScreenLink>
                ),
              },
              { title: 'Since', cell: ({ beginsOn }) => showDay(beginsOn, 'dayMonthYear') },
              {
                title: 'Tolerance',
                align: 'end',
                cell: ({ tolerance, currency }) => <Money amount={tolerance} currency={currency} />,
              },
              { title: 'Fetched', cell: ({ fetches }) => (fetches ? 'Yes' : 'No') },
              { title: 'Account', cell: ({ account }) => account ?? <span className="soft">any</span> },
              {
                title: '',
                cell: (row) => (
                  <ActionButton
                    action={unlessRequested(
                      setReconciliation(channelId, row, []),
                      ofCountry(data?.approvals, row.country),
                    )}
                    onDone={refresh}
                    size="compact-xs"
                  />
                ),
              },
            ]}
          />
        )}
      </Panel>
    </>
  );
}

/** The requests that wait about a country's settings: those of the tenant of that country. */
function ofCountry(approvals: Waiting, country: string): Waiting {
  return approvals && { edges: approvals.edges.filter(({ node }) => node.merchantId === tenantOf(country)) };
}

/** Changes how a channel is reconciled in a country; without `now`, sets it up for one of `countries`. */
function setReconciliation(channelId: string, now: Settings | null, countries: readonly string[]): Action {
  return defineAction({
    operation: 'setReconciliation',
    document: SetReconciliationDocument,
    label: now === null ? 'Set it up for a country' : `Change ${countryNames[now.country]}`,
    subject: channelId,
    before: (
      <Before
        values={{
          Channel: channelId,
          ...(now && {
            Country: countryNames[now.country],
            Since: showDay(now.beginsOn, 'dayMonthYear'),
            Tolerance: <Money amount={now.tolerance} currency={now.currency} />,
            Account: now.account ?? 'any',
            Fetched: now.fetches ? 'Yes' : 'No',
          }),
          'Second operator': `Needed: another operator with the role ${listRoles(operationNamed('setReconciliation').roles)}`,
        }}
      />
    ),
    fields: [
      ...(now === null
        ? [
            {
              name: 'country',
              label: 'Country',
              kind: 'choice' as const,
              options: countries.map((value) => ({ value, label: countryNames[value] ?? value })),
            },
          ]
        : []),
      { name: 'beginsOn', label: 'First day', placeholder: '2026-11-21', initial: now?.beginsOn ?? '' },
      { name: 'tolerance', label: 'Tolerance', placeholder: '0.00', initial: now?.tolerance ?? '' },
      { name: 'account', label: 'Account', initial: now?.account ?? '' },
      {
        name: 'fetches',
        label: 'Statements are fetched',
        kind: 'choice' as const,
        options: [
          { value: 'no', label: 'No' },
          { value: 'yes', label: 'Yes' },
        ],
        initial: now?.fetches ? 'yes' : 'no',
      },
    ],
    toInput: ({ country, ...typed }) => ({
      channelId,
      country: (now?.country ?? country) as Country,
      ...changedReconciliation(now, typed),
    }),
    expectedVersion: now?.version ?? 'new',
    after: () => 'The settings are changed. Open days are matched again.',
  });
}
