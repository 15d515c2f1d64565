import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ActionBar, ActionMenu } from '../actions/action-button.tsx';
import { blockedBy } from '../actions/allowed.tsx';
import { useMe } from '../app/use-me.ts';
import { useApprovalNews } from '../approvals/approval-news.ts';
import { plainWords } from '../format/words.ts';
import { CaseDetailDocument, type CaseDetailQuery } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { Money } from '../parts/money.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { Empty, Page, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { assignWork } from '../work/assign-work.tsx';
import { Files } from '../work/files.tsx';
import { Notes } from '../work/notes.tsx';
import { TakeButton } from '../work/take-button.tsx';
import { caseDecisions } from './case-actions.tsx';
import { type CaseDetail, subjectOf } from './case-detail.ts';
import { CaseFacts } from './case-facts.tsx';
import { CaseHistory } from './case-history.tsx';
import { caseKindWords, caseStateWords, caseStories } from './case-words.ts';
import styles from './cases.module.css';

const route = getRouteApi('/shell/cases/$merchantId/$caseNo');
/** How often the progress of a refund is read again. */
const POLL_MS = 5_000;

/** One case: what happened, the money, the order, and what can be decided. */
export function CasePage() {
  const { merchantId, caseNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const variables = { merchantId, caseNo: Number(caseNo), subject: subjectOf(caseNo), withPersonal };
  const [{ data, error, fetching }, read] = useQuery({
    query: CaseDetailDocument,
    variables,
    pause: !/^[1-9]\d{0,8}$/.test(caseNo),
  });
  const refresh = () => read({ requestPolicy: 'network-only' });
  useApprovalNews(useSoon(refresh));
  const found = data?.moneyCase;
  usePoll(refresh, found?.state === 'RETURNING' ? POLL_MS : null);
  const title = `Case ${caseNo} of ${merchantId}`;
  if (!data || !found)
    return (
      <Page title={title}>
        {error && <Failure error={error} retry={refresh} />}
        {!error && (
          <Panel>
            {fetching ? (
              <p className="soft">Loading …</p>
            ) : (
              <Empty title="There is no such case">You may also not be allowed to see its merchant.</Empty>
            )}
          </Panel>
        )}
      </Page>
    );
  return (
    <Page
      title={title}
      heading={
        <Heading kind={caseKindWords[found.kind]} title={<Money amount={found.amount} currency={found.currency} />}>
          <Status word={caseStateWords[found.state]} />
        </Heading>
      }
      actions={<Decide found={found} refresh={refresh} />}
    >
      {error && <Failure error={error} retry={refresh} />}
      <PendingApproval data={data} subject={subjectOf(caseNo)} />
      <Columns
        main={
          <>
            <Panel title="What happened">
              <p className={styles.story}>{caseStories[found.kind]}</p>
              {found.detail && <p className={`${styles.message} soft`}>The channel: {found.detail}</p>}
            </Panel>
            <Notes on={found.id} notes={found.notes} blocked={blockedBy(found.actions, 'ADD_NOTE')} refresh={refresh} />
            <CaseHistory records={data.auditLog?.edges.map(({ node }) => node) ?? []} openedAt={found.openedAt} />
          </>
        }
        side={
          <>
            <CaseFacts found={found} />
            <Files
              on={blockedBy(found.actions, 'ADD_NOTE') === null ? found.id : null}
              files={found.files}
              refresh={refresh}
            />
          </>
        }
      />
    </Page>
  );
}

/** The decisions at hand, the rest in a menu. */
function Decide({ found, refresh }: { found: CaseDetail; refresh(): void }) {
  return (
    <>
      <TakeButton on={found.id} assignment={found.assignment} actions={found.actions} refresh={refresh} />
      <ActionBar actions={caseDecisions(found)} onDone={refresh} />
      <ActionMenu actions={[assignWork(found, subjectOf(found.caseNo))]} onDone={refresh} />
    </>
  );
}

/** Says that a decision was asked for already. */
function PendingApproval({ data, subject }: { data: CaseDetailQuery; subject: string }) {
  const pending = data.approvals?.edges.map(({ node }) => node).filter((one) => one.subject === subject) ?? [];
  return pending.map(({ approvalId, operation, requestedBy, expiresAt }) => (
    <Notice key={approvalId} tone="warn">
      {requestedBy} asked for this: {plainWords(operation).toLowerCase()}. Another operator has to approve it until{' '}
      <Time at={expiresAt} />. <ScreenLink to={`/approvals/${approvalId}`}>See the approval</ScreenLink>
    </Notice>
  ));
}
