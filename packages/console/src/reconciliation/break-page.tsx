import { getRouteApi } from '@tanstack/react-router';
import type { Action } from '../actions/action.ts';
import { unlessRequested, type Waiting, WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { countryNames } from '../format/words.ts';
import { BreakDetailDocument, type Country } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Age } from '../parts/age.tsx';
import { Heading } from '../parts/columns.tsx';
import { useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import type { TimelineItem } from '../parts/timeline.tsx';
import { useMe } from '../session/use-me.ts';
import { WorkPage } from '../work/work-page.tsx';
import { type BreakDetail, storyOfBreak, subjectOfBreak } from './break-detail.ts';
import { BreakSides } from './break-sides.tsx';
import { showDay } from './day-look.ts';
import { lineOfTopUp } from './line-of-top-up.ts';
import styles from './reconciliation.module.css';
import { ReconciliationHistory } from './reconciliation-history.tsx';
import { breakKindWords, breakStateWords } from './reconciliation-words.ts';
import { resolveBreak } from './resolve-break.tsx';
import { tenantOf } from './to-filter.ts';
import { topUpFromLine } from './top-up-from-line.tsx';

const route = getRouteApi('/shell/reconciliation/breaks/$country/$breakNo');
/** How often the break is read again, in milliseconds: a later file may change it. */
const POLL_MS = 5_000;

/** One break: both sides next to each other, what happened, and how it can end. */
export function BreakPage() {
  const { country, breakNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const subject = subjectOfBreak(breakNo);
  const one = useDetail(
    BreakDetailDocument,
    { country: country as Country, breakNo: Number(breakNo), tenant: tenantOf(country), subject, withPersonal },
    (data) => data.reconciliationBreak,
    country in countryNames && /^[1-9]\d{0,8}$/.test(breakNo),
  );
  usePoll(one.refresh, one.found && one.found.closedAt === null ? POLL_MS : null);
  return (
    <WorkPage
      title={`Break ${breakNo}`}
      subject={subject}
      one={one}
      missing={['There is no such break', 'You may also not be allowed to see its country.']}
      show={(found, data) => ({
        heading: (
          <Heading kind={breakKindWords[found.kind]} title={<Money amount={found.amount} currency={found.currency} />}>
            <Status word={breakStateWords[found.state]} />
          </Heading>
        ),
        decisions: found.closedAt === null ? decisionsOf(found, data.approvals) : [],
        above: (
          <>
            <WaitingApprovals approvals={data.approvals} />
            <Panel>
              <p className={styles.text}>{storyOfBreak(found)}</p>
              {found.reason && <p className={`${styles.text} soft`}>{found.reason}</p>}
            </Panel>
            <BreakSides found={found} />
          </>
        ),
        belowNotes: <ReconciliationHistory records={data.auditLog} subject={subject} events={eventsOf(found)} />,
        side: <BreakFacts found={found} />,
      })}
    />
  );
}

/** Money that looks like a top-up can be booked as one. While a request about the break waits, it is decided first. */
function decisionsOf(found: BreakDetail, approvals: Waiting): Action[] {
  const line = lineOfTopUp(found);
  const resolve = resolveBreak(found);
  if (line === null) return [resolve];
  return [resolve, unlessRequested(topUpFromLine(found, line), approvals)];
}

function BreakFacts({ found }: { found: BreakDetail }) {
  const { country, channelId, day, breakNo, orderNo, openedAt, closedAt, decidedAt } = found;
  return (
    <Panel title="Break">
      <Facts
        values={{
          'Statement beyond ledger': <Money amount={found.amount} currency={found.currency} />,
          Channel: <ScreenLink to={`/channels/${channelId}`}>{channelId}</ScreenLink>,
          'Expected on': (
            <ScreenLink to={`/reconciliation/days/${country}/${channelId}/${day}`}>
              {showDay(day, 'dayMonthYear')}
            </ScreenLink>
          ),
          Country: countryNames[country],
          Found: closedAt === null && (
            <>
              <Age at={openedAt} /> ago
            </>
          ),
          Order: orderNo && <ScreenLink to={`/orders/${orderNo}`}>{orderNo}</ScreenLink>,
          'Credited to': found.creditedTo && (
            <ScreenLink to={`/merchants/${found.creditedTo}`}>
              <span className="mono">{found.creditedTo}</span>
            </ScreenLink>
          ),
          'Asked for by': found.decidedBy,
          'Agreed by': found.approver,
          Decided: decidedAt && <Time at={decidedAt} />,
          Ended: closedAt && <Time at={closedAt} />,
          Number: <span className="figures">{breakNo}</span>,
        }}
      />
    </Panel>
  );
}

/** An entered payment appears in the ledger some time after the decision. */
const SAME_MS = 1_000;

/** What happened without an operator. */
function eventsOf({ openedAt, closedAt, state, decidedAt }: BreakDetail): TimelineItem[] {
  const opened: TimelineItem = { key: 'opened', at: openedAt, tone: 'warn', title: 'The break was found' };
  if (closedAt === null) return [opened];
  const isEntered = decidedAt !== null && Date.parse(closedAt) - Date.parse(decidedAt) > SAME_MS;
  if (state !== 'MATCHED' && !isEntered) return [opened];
  const title = state === 'MATCHED' ? 'A later file or transfer explained it' : 'The ledger shows it';
  return [opened, { key: 'closed', at: closedAt, tone: 'good', title }];
}
