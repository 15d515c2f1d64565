import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { useMe } from '../app/use-me.ts';
import { plainWords } from '../format/words.ts';
import { ApprovalDetailDocument, type ApprovalDetailPartsFragment } from '../generated/documents.generated.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { Empty, Facts, Page, Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Files } from '../work/files.tsx';
import { ApprovalFacts } from './approval-facts.tsx';
import { useApprovalNews } from './approval-news.ts';
import { approvalStateWords } from './approval-words.ts';
import { ChangesTable } from './changes-table.tsx';
import { Decide } from './decide.tsx';
import { TypedValue } from './typed-value.tsx';

const route = getRouteApi('/shell/approvals/$approvalId');

/** One approval: what would change, who asked and why, and whether it can still be carried out. */
export function ApprovalPage() {
  const { approvalId } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const [{ data, error, fetching }, read] = useQuery({
    query: ApprovalDetailDocument,
    variables: { approvalId, withPersonal },
  });
  const refresh = () => read({ requestPolicy: 'network-only' });
  useApprovalNews(useSoon(refresh), approvalId);
  const approval = data?.approval?.approvalId === approvalId ? data.approval : null;
  const title = approval ? plainWords(approval.operation) : `Approval ${approvalId}`;
  return (
    <Page
      title={title}
      heading={
        approval && (
          <Heading kind="Approval" title={title}>
            <Status word={approvalStateWords[approval.state]} />
          </Heading>
        )
      }
    >
      {error && <Failure error={error} retry={refresh} />}
      {approval && <Detail approval={approval} refresh={refresh} />}
      {!approval && !error && (
        <Panel>
          {fetching ? (
            <p className="soft">Loading …</p>
          ) : (
            <Empty title="There is no such approval">You may also not be allowed to see what it is about.</Empty>
          )}
        </Panel>
      )}
    </Page>
  );
}

function Detail({ approval, refresh }: { approval: ApprovalDetailPartsFragment; refresh(): void }) {
  const { changes, fields, subject } = approval;
  return (
    <>
      <HowItStands approval={approval} />
      <Columns
        main={
          <>
            {changes && changes.length > 0 && (
              <Panel title="What approving changes" isFlush>
                <ChangesTable changes={changes} subject={subject} />
              </Panel>
            )}
            {fields && fields.length > 0 && (
              <Panel title="What was asked for">
                <Facts
                  values={Object.fromEntries(
                    fields.map(({ label, value }) => [label, <TypedValue key={label} value={value} />]),
                  )}
                />
              </Panel>
            )}
            {!fields && (
              <Notice tone="idle">What was asked for may contain personal data. Viewers do not see it.</Notice>
            )}
          </>
        }
        side={
          <>
            <ApprovalFacts approval={approval} />
            {approval.files.length > 0 && <Files on={null} files={approval.files} refresh={refresh} />}
          </>
        }
      />
      <Decide key={approval.approvalId} approval={approval} refresh={refresh} />
    </>
  );
}

/** Whether it can still be carried out, or what became of it. */
function HowItStands({ approval }: { approval: ApprovalDetailPartsFragment }) {
  const { state, stillPossible, outcome, decidedBy } = approval;
  if (state === 'EXECUTED') return <Notice tone="good">{decidedBy} approved it, and it was carried out.</Notice>;
  if (state === 'FAILED') return <Notice tone="bad">{`${decidedBy} approved it, but it failed: ${outcome}`}</Notice>;
  if (state === 'REJECTED') return <Notice tone="bad">{`${decidedBy} rejected it: ${outcome}`}</Notice>;
  if (state === 'WITHDRAWN') return <Notice tone="idle">{`${decidedBy} withdrew it: ${outcome}`}</Notice>;
  if (state === 'EXPIRED') return <Notice tone="idle">Nobody decided it in time. It can be asked for again.</Notice>;
  if (!stillPossible) return null;
  if (stillPossible.possible) return <Notice tone="info">It can be carried out as things stand now.</Notice>;
  const message = stillPossible.message ?? 'No reason is known.';
  return stillPossible.mayPass ? (
    <Notice tone="warn">{`It cannot be carried out at this moment: ${message}. This may pass by itself.`}</Notice>
  ) : (
    <Notice tone="bad">{`It can no longer be carried out: ${message}. Reject it.`}</Notice>
  );
}
