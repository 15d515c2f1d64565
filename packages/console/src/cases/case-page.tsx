import { getRouteApi } from '@tanstack/react-router';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { caseKindWords, caseStateWords, caseStories } from '../format/case-words.ts';
import { CaseDetailDocument, CaseMovesDocument } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useLive } from '../graphql/use-live.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Heading } from '../parts/columns.tsx';
import { useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { useMe } from '../session/use-me.ts';
import { WorkPage } from '../work/work-page.tsx';
import { caseDecisions } from './case-actions.tsx';
import { subjectOf, taskOf } from './case-detail.ts';
import { CaseFacts } from './case-facts.tsx';
import { CaseHistory } from './case-history.tsx';
import styles from './cases.module.css';

const route = getRouteApi('/shell/cases/$merchantId/$caseNo');
/** How often the progress of a refund is read again. */
const POLL_MS = 5_000;

/** One case: what happened, the money, the order, and what can be decided. */
export function CasePage() {
  const { merchantId, caseNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const subject = subjectOf(caseNo);
  const one = useDetail(
    CaseDetailDocument,
    { merchantId, caseNo: Number(caseNo), subject, withPersonal },
    ({ moneyCase }) => moneyCase,
    /^[1-9]\d{0,8}$/.test(caseNo),
  );
  const { refresh } = one;
  useApprovalNews(useSoon(refresh));
  useLive(
    CaseMovesDocument,
    { merchantIds: [merchantId], caseNo: Number(caseNo) },
    { onData: refresh, onMissed: refresh },
  );
  usePoll(refresh, one.found?.state === 'RETURNING' ? POLL_MS : null);
  return (
    <WorkPage
      title={`Case ${caseNo} of ${merchantId}`}
      subject={subject}
      one={one}
      missing={['There is no such case', 'You may also not be allowed to see its merchant.']}
      show={(found, data) => ({
        heading: (
          <Heading kind={caseKindWords[found.kind]} title={<Money amount={found.amount} currency={found.currency} />}>
            <Status word={caseStateWords[found.state]} />
          </Heading>
        ),
        decisions: caseDecisions(found),
        above: <WaitingApprovals approvals={data.approvals} />,
        main: (
          <Panel title="What happened">
            <p className={styles.story}>
              {caseStories[found.kind]} {found.state === 'OPEN' && taskOf(found)}
            </p>
            {found.detail && (
              <p className={`${styles.message} soft`}>
                {found.kind === 'SETTLEMENT_FAILED' ? 'The bank' : 'The channel'}: {found.detail}
              </p>
            )}
          </Panel>
        ),
        belowNotes: (
          <CaseHistory records={data.auditLog?.edges.map(({ node }) => node) ?? []} openedAt={found.openedAt} />
        ),
        side: <CaseFacts found={found} />,
      })}
    />
  );
}
