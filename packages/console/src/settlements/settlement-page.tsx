import { getRouteApi } from '@tanstack/react-router';
import { ActionBar, ActionMenu } from '../actions/action-button.tsx';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { SettlementDetailDocument } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { ReconciliationHistory } from '../reconciliation/reconciliation-history.tsx';
import { useMe } from '../session/use-me.ts';
import { settlementActions, settlementTrouble } from './settlement-actions.tsx';
import { Basis } from './settlement-basis.tsx';
import { SettlementEntries } from './settlement-entries.tsx';
import { SettlementFacts } from './settlement-facts.tsx';
import { SettlementSteps } from './settlement-steps.tsx';
import { settlementStateWords } from './settlement-words.ts';

const route = getRouteApi('/shell/settlements/$merchantId/$settlementNo');
/** How often it is read again until it has ended, in milliseconds: other operators move it. */
const POLL_MS = 5_000;

/** One settlement: what it is made of, whom it pays, how far it has come, and the next step. */
export function SettlementPage() {
  const { merchantId, settlementNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const one = useDetail(
    SettlementDetailDocument,
    { merchantId, settlementNo, withPersonal },
    ({ settlement }) => (settlement?.settlementNo === settlementNo ? settlement : null),
    /^ST[0-9A-Z]{4,33}$/.test(settlementNo),
  );
  const { refresh } = one;
  usePoll(refresh, one.found && one.found.state !== 'FAILED' ? POLL_MS : null);
  return (
    <DetailPage
      title={`Settlement ${settlementNo}`}
      one={one}
      missing={['There is no such settlement', 'Check the number. You may also not be allowed to see its merchant.']}
      show={(found, data) => ({
        heading: (
          <Heading kind="Settlement" title={<Money amount={found.amount} currency={found.currency} />}>
            <Status word={settlementStateWords[found.state]} />
            <Copyable text={settlementNo} what="settlement number" />
          </Heading>
        ),
        actions: (
          <>
            <ActionBar actions={settlementActions(found)} onDone={refresh} />
            {settlementTrouble(found).length > 0 && <ActionMenu actions={settlementTrouble(found)} onDone={refresh} />}
          </>
        ),
        body: (
          <>
            <WaitingApprovals approvals={data.approvals} />
            <SettlementSteps found={found} />
            <Columns
              main={
                <>
                  <Basis found={found} />
                  <ReconciliationHistory records={data.auditLog} subject={settlementNo} />
                </>
              }
              side={<SettlementFacts found={found} merchantName={data.merchant?.name ?? merchantId} />}
            />
            <SettlementEntries merchantId={merchantId} settlementNo={settlementNo} currency={found.currency} />
          </>
        ),
      })}
    />
  );
}
