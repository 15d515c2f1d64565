import { getRouteApi } from '@tanstack/react-router';
import { ActionButton } from '../actions/action-button.tsx';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { asSentence, countryNames } from '../format/words.ts';
import { type Country, DayDetailDocument, type DayDetailQuery } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Notice } from '../parts/notice.tsx';
import { Empty, Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import { type DayDetail, dayAction, subjectOfDay } from './day-actions.tsx';
import { describeLines } from './day-grid.tsx';
import { describeDay, showDay } from './day-look.ts';
import { fetchAgain } from './fetch-statement.tsx';
import { ImportLink } from './import-link.tsx';
import styles from './reconciliation.module.css';
import { ReconciliationHistory } from './reconciliation-history.tsx';
import { breakKindWords } from './reconciliation-words.ts';
import { StatementLines } from './statement-lines.tsx';
import { SumsExplained } from './sums-explained.tsx';
import { tenantOf } from './to-filter.ts';

const route = getRouteApi('/shell/reconciliation/days/$country/$channelId/$day');
/** How often the day is read again, in milliseconds: files and matches come by themselves. */
const POLL_MS = 5_000;

/** One day of a channel: what is missing, its breaks by kind, its files, and who closes it. */
export function DayPage() {
  const { country, channelId, day } = route.useParams();
  const subject = subjectOfDay(channelId, day);
  const isDay = country in countryNames && /^[a-z0-9-]{2,32}$/.test(channelId) && /^\d{4}-\d\d-\d\d$/.test(day);
  const one = useDetail(
    DayDetailDocument,
    { country: country as Country, channelId, day, tenant: tenantOf(country), subject },
    (data) => data.reconciliationDay,
    isDay,
  );
  const { refresh } = one;
  usePoll(refresh, one.found?.day.state === 'OPEN' ? POLL_MS : null);
  const title = `${channelId}, ${isDay ? showDay(day, 'dayMonthYear') : day}`;
  return (
    <DetailPage
      title={title}
      one={one}
      missing={[
        'Nothing is known of this day',
        'No statement covers it, and the ledger expects nothing. You may also not be allowed to see its country.',
      ]}
      show={(found, data) => ({
        heading: <DayHeading title={title} day={found.day} />,
        actions: (
          <>
            {found.fetchableFormats.length > 0 && (
              <ActionButton action={fetchAgain(found.day, found.day.isCovered)} onDone={refresh} />
            )}
            {!found.day.isCovered && <ImportLink />}
            <ActionButton action={dayAction(found, data.approvals)} variant="filled" onDone={refresh} />
          </>
        ),
        body: (
          <>
            <WaitingApprovals approvals={data.approvals} />
            <Columns
              main={
                <>
                  <Missing found={found} />
                  <BreaksByKind found={found} />
                  <Files statements={data.statements} />
                </>
              }
              side={
                <>
                  <Sums found={found} />
                  <ReconciliationHistory records={data.auditLog} subject={subject} />
                </>
              }
            />
          </>
        ),
      })}
    />
  );
}

function DayHeading({ title, day }: { title: string; day: DayDetail['day'] }) {
  const { tone, sign, label } = describeDay(day);
  return (
    <Heading kind={`Day in ${countryNames[day.country]}`} title={title}>
      <span className={styles.look} data-tone={tone}>
        <span aria-hidden="true">{sign}</span> {label}
      </span>
    </Heading>
  );
}

/** What has to be done before the day can be closed. */
function Missing({ found: { day, closingProblems } }: { found: DayDetail }) {
  if (day.state === 'CLOSED' && day.openBreaks > 0)
    return <Notice tone="bad">The day is closed, and a later file brought breaks. Reopen it to work them off.</Notice>;
  if (day.state === 'CLOSED')
    return <Notice tone="good">{`${day.closedBy} and ${day.approver} closed the day. Nothing is missing.`}</Notice>;
  if (closingProblems.length === 0 && day.missingStatement === null)
    return <Notice tone="info">Nothing is missing. Two operators can close the day.</Notice>;
  return (
    <Panel title="What is missing">
      <ul className={styles.missing}>
        {closingProblems.map((text) => (
          <li key={text}>{asSentence(text)}</li>
        ))}
        {day.missingStatement !== null && <li>A statement could not be fetched: {day.missingStatement}</li>}
      </ul>
    </Panel>
  );
}

function BreaksByKind({ found: { day, openByKind } }: { found: DayDetail }) {
  const { country, channelId, currency } = day;
  const search = { countries: country, channelIds: channelId, days: `${day.day}..${day.day}` };
  const all = (
    <ScreenLink to="/reconciliation/breaks" search={{ ...search, view: 'all' }}>
      All breaks of the day
    </ScreenLink>
  );
  return (
    <Panel title="Open breaks" side={all} isFlush>
      {openByKind.length === 0 ? (
        <Empty title="No open break">What statements and ledger show of this day is the same, or was decided.</Empty>
      ) : (
        <Lines
          label="Open breaks by kind"
          rows={openByKind}
          rowKey={({ kind }) => kind}
          columns={[
            {
              title: 'Kind',
              cell: ({ kind }) => (
                <ScreenLink to="/reconciliation/breaks" search={{ ...search, kinds: kind, view: 'all' }}>
                  {breakKindWords[kind]}
                </ScreenLink>
              ),
            },
            { title: 'Breaks', align: 'end', cell: ({ breaks }) => <span className="figures">{breaks}</span> },
            {
              title: 'Difference',
              align: 'end',
              cell: ({ difference }) => <Money amount={difference} currency={currency} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Files({ statements }: { statements: DayDetailQuery['statements'] }) {
  const rows = statements?.edges.map(({ node }) => node) ?? [];
  return (
    <Panel title="Statements that cover it" isFlush>
      {rows.length === 0 ? (
        <Empty title="No statement covers this day">Import the file, also if it comes late.</Empty>
      ) : (
        <StatementLines rows={rows} />
      )}
    </Panel>
  );
}

function Sums({ found }: { found: DayDetail }) {
  const { day } = found;
  const { currency, lines, explainedLines, closedBy, closedAt, reopenedBy, reopenedAt, oldestOpenAt } = day;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <Panel title="Both sides">
      <Facts
        values={{
          Statements: money(day.statementNet),
          Lines: describeLines(lines, explainedLines),
          Ledger: money(day.ledgerNet),
          Movements: <span className="figures">{day.expectations}</span>,
          'Open breaks': money(day.difference),
          'Oldest break found': oldestOpenAt && <Time at={oldestOpenAt} />,
          Tolerated: !/^0\.0*$/.test(day.tolerated) && money(day.tolerated),
          Channel: <ScreenLink to={`/channels/${day.channelId}`}>{day.channelId}</ScreenLink>,
          'Closed by': closedBy && `${closedBy} and ${day.approver}`,
          Closed: closedAt && <Time at={closedAt} />,
          'Reopened by': reopenedBy,
          Reopened: reopenedAt && <Time at={reopenedAt} />,
        }}
      />
      <SumsExplained found={found} />
    </Panel>
  );
}
