import { getRouteApi } from '@tanstack/react-router';
import { ApprovalDetailDocument, type ApprovalDetailPartsFragment } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { BankAccountFacts } from '../parts/bank-account.tsx';
import { Columns, Heading } from '../parts/columns.tsx';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Notice } from '../parts/notice.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { useMe } from '../session/use-me.ts';
import { Files } from '../work/files.tsx';
import { ApprovalFacts } from './approval-facts.tsx';
import { approvalStateWords } from './approval-words.ts';
import { ChangesTable } from './changes-table.tsx';
import { Decide } from './decide.tsx';
import { Effect } from './effect.tsx';
import { TypedValue } from './typed-value.tsx';

const route = getRouteApi('/shell/approvals/$approvalId');

/** One approval: what would change, who asked and why, and whether it can still be carried out. */
export function ApprovalPage() {
  const { approvalId } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const one = useDetail(ApprovalDetailDocument, { approvalId, withPersonal }, ({ approval }) =>
    approval?.approvalId === approvalId ? approval : null,
  );
  useApprovalNews(useSoon(one.refresh), approvalId);
  return (
    <DetailPage
      title={`Approval ${approvalId}`}
      one={one}
      missing={['There is no such approval', 'You may also not be allowed to see what it is about.']}
      show={(approval) => {
        const { title } = approval;
        const heading = (
          <Heading kind="Approval" title={title}>
            {approval.money && (
              <strong>
                <Money amount={approval.money.amount} currency={approval.money.currency} />
              </strong>
            )}
            <Status word={approvalStateWords[approval.state]} />
          </Heading>
        );
        return { title, heading, body: <Detail approval={approval} refresh={one.refresh} /> };
      }}
    />
  );
}

function Detail({ approval, refresh }: { approval: ApprovalDetailPartsFragment; refresh(): void }) {
  const { changes, effect, effectNow, fields, subject, bankAccount } = approval;
  return (
    <>
      <ApprovalNotice approval={approval} />
      <Columns
        main={
          <>
            {bankAccount && (
              <Panel title="Bank account">
                <p className="soft">Compare it with the contract, letter by letter.</p>
                <BankAccountFacts payee={bankAccount} account={null} />
              </Panel>
            )}
            {effect && <Effect effect={effect} effectNow={effectNow ?? null} />}
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

/** Whether the approval can still be carried out, or its result. */
function ApprovalNotice({ approval }: { approval: ApprovalDetailPartsFragment }) {
  const { state, stillPossible, outcome, decidedBy } = approval;
  if (state === 'EXECUTED') return <Notice tone="good">{decidedBy} approved it, and it was carried out.</Notice>;
  if (state === 'FAILED') return <Notice tone="bad">{`${decidedBy} approved it, but it failed: ${outcome}`}</Notice>;
  if (state === 'REJECTED') return <Notice tone="bad">{`${decidedBy} rejected it: ${outcome}`}</Notice>;
  if (state === 'WITHDRAWN') return <Notice tone="idle">{`${decidedBy} withdrew it: ${outcome}`}</Notice>;
  if (state === 'EXPIRED') return <Notice tone="idle">It was not decided in time. It can be requested again.</Notice>;
  if (!stillPossible) return null;
  if (stillPossible.possible) return <Notice tone="info">It can be carried out now.</Notice>;
  const message = stillPossible.message ?? 'No reason is known.';
  return stillPossible.mayPass ? (
    <Notice tone="warn">{`It cannot be carried out at this moment: ${message}. This may pass by itself.`}</Notice>
  ) : (
    <Notice tone="bad">{`It can no longer be carried out: ${message}. Reject it.`}</Notice>
  );
}
