import { getRouteApi } from '@tanstack/react-router';
import { ActionButton, ActionMenu } from '../actions/action-button.tsx';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { countryNames } from '../format/words.ts';
import { SettlementCycleDetailDocument, type SettlementCycleDetailQuery } from '../generated/documents.generated.ts';
import { BankAccountFacts } from '../parts/bank-account.tsx';
import { Columns, Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Notice } from '../parts/notice.tsx';
import { Empty, Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { showDay } from '../reconciliation/day-look.ts';
import { ReconciliationHistory } from '../reconciliation/reconciliation-history.tsx';
import { useMe } from '../session/use-me.ts';
import { cycleActions, cycleSubject, firstCycle } from './cycle-actions.tsx';
import type { CycleDetail } from './cycle-changes.ts';
import { settlementStateWords, weekdayWords } from './settlement-words.ts';

const route = getRouteApi('/shell/settlements/cycles/$merchantId');
type Merchant = NonNullable<SettlementCycleDetailQuery['merchant']>;

/** When, up to which day and to which bank account a merchant is settled. */
export function CyclePage() {
  const { merchantId } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const one = useDetail(SettlementCycleDetailDocument, { merchantId, withPersonal }, ({ merchant }) =>
    merchant?.merchantId === merchantId ? merchant : null,
  );
  const { refresh } = one;
  return (
    <DetailPage
      title={`Settlement cycle of ${merchantId}`}
      one={one}
      missing={['There is no such merchant', 'Check the number. You may also not be allowed to see it.']}
      show={(merchant, data) => ({
        heading: (
          <Heading kind="Settlement cycle" title={merchant.name}>
            <Copyable text={merchantId} what="merchant number" />
          </Heading>
        ),
        actions: data.settlementCycle && (
          <ActionMenu actions={cycleActions(merchant, data.settlementCycle)} onDone={refresh} />
        ),
        body: <Detail merchant={merchant} data={data} refresh={refresh} />,
      })}
    />
  );
}

interface DetailProps {
  merchant: Merchant;
  data: SettlementCycleDetailQuery;
  refresh(): void;
}

function Detail({ merchant, data, refresh }: DetailProps) {
  const { settlementCycle: cycle, approvals, auditLog } = data;
  return (
    <>
      <WaitingApprovals approvals={approvals} />
      {cycle?.account === null && (
        <Notice tone="warn">There is no bank account, so no settlement can be approved.</Notice>
      )}
      <Columns
        main={
          <>
            {cycle ? <Settings cycle={cycle} merchant={merchant} /> : <NoCycle merchant={merchant} refresh={refresh} />}
            <LastSettlements settlements={data.settlements} merchantId={merchant.merchantId} />
          </>
        }
        side={
          <>
            {cycle?.account && (
              <Panel title="Bank account">
                <BankAccountFacts payee={cycle.payee} account={cycle.account} />
              </Panel>
            )}
            <MerchantFacts merchant={merchant} />
            <ReconciliationHistory records={auditLog} subject={cycleSubject} />
          </>
        }
      />
    </>
  );
}

function NoCycle({ merchant, refresh }: { merchant: Merchant; refresh(): void }) {
  return (
    <Panel title="Cycle">
      <Empty title="The merchant is not settled">
        It is settled from the first run after two operators set a cycle.
      </Empty>
      <ActionButton action={firstCycle(merchant)} variant="filled" onDone={refresh} />
    </Panel>
  );
}

function Settings({ cycle, merchant }: { cycle: CycleDetail; merchant: Merchant }) {
  const { workingDays, weekdays, minimum, keep, beginsOn } = cycle;
  const { currency } = merchant.wallet;
  return (
    <Panel title="Cycle">
      <Facts
        values={{
          'A day is settled after': workingDays === 1 ? '1 working day' : `${workingDays} working days`,
          'Runs on': weekdays.map((day) => weekdayWords[day]).join(', '),
          Minimum: <Money amount={minimum} currency={currency} />,
          'Stays in the wallet': <Money amount={keep} currency={currency} />,
          'Begins on': showDay(beginsOn, 'dayMonthYear'),
        }}
      />
    </Panel>
  );
}

function MerchantFacts({ merchant: { merchantId, name, country, wallet } }: { merchant: Merchant }) {
  return (
    <Panel title="Merchant">
      <Facts
        values={{
          Merchant: <ScreenLink to={`/merchants/${merchantId}`}>{name}</ScreenLink>,
          Country: countryNames[country],
          Available: <Money amount={wallet.available} currency={wallet.currency} />,
        }}
      />
    </Panel>
  );
}

interface LastProps {
  settlements: SettlementCycleDetailQuery['settlements'];
  merchantId: string;
}

function LastSettlements({ settlements, merchantId }: LastProps) {
  const rows = settlements?.edges.map(({ node }) => node) ?? [];
  const all = (
    <ScreenLink to="/settlements" search={{ merchantIds: merchantId, view: 'all' }}>
      All settlements
    </ScreenLink>
  );
  return (
    <Panel title="Last settlements" side={all} isFlush>
      {rows.length === 0 ? (
        <Empty title="No settlement yet">The run of a country drafts what is due.</Empty>
      ) : (
        <Lines
          label="Last settlements"
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              title: 'Settlement',
              cell: ({ settlementNo }) => (
                <ScreenLink to={`/settlements/${merchantId}/${settlementNo}`}>
                  <span className="mono">{settlementNo}</span>
                </ScreenLink>
              ),
            },
            { title: 'Run on', cell: ({ runDay }) => showDay(runDay, 'dayMonthYear') },
            { title: 'State', cell: ({ state }) => <Status word={settlementStateWords[state]} /> },
            {
              title: 'Amount',
              align: 'end',
              cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}
