import { sumAmounts } from '../format/money.ts';
import { countryNames } from '../format/words.ts';
import { BankAccountFacts } from '../parts/bank-account.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Notice } from '../parts/notice.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import { showDay } from '../reconciliation/day-look.ts';
import type { SettlementDetail } from './settlement-words.ts';

/** Merchant, days, references, and the bank account as far as the operator may see it. */
export function SettlementFacts({ found, merchantName }: { found: SettlementDetail; merchantName: string }) {
  const { merchantId, country, runDay, cutOff, reference, caseNo, approvedAt, paidAt, confirmedAt, failedAt } = found;
  const { fileNo, debitLines, returnLines, channelId, paymentNo, answer, nextActionAt } = found;
  const cycle = <ScreenLink to={`/settlements/cycles/${merchantId}`}>Settlement cycle</ScreenLink>;
  return (
    <>
      <BankAccountPanel found={found} />
      <Panel title="Settlement" side={cycle}>
        <Facts
          values={{
            Merchant: (
              <ScreenLink to={`/merchants/${merchantId}`}>
                {merchantName} <span className="mono">{merchantId}</span>
              </ScreenLink>
            ),
            Country: countryNames[country],
            'Run on': showDay(runDay, 'dayMonthYear'),
            'Settles up to': showDay(cutOff, 'dayMonthYear'),
            'Reference of the payment': reference && <Copyable text={reference} what="reference" />,
            'Bank file': fileNo && <ScreenLink to="/settlements/files">{fileNo}</ScreenLink>,
            'Paid through': channelId && <ScreenLink to={`/channels/${channelId}`}>{channelId}</ScreenLink>,
            'Number at the channel': paymentNo && <Copyable text={paymentNo} what="number at the channel" />,
            'Last answer': answer,
            'Asked again': nextActionAt && <Time at={nextActionAt} />,
            'Payment shown by': debitLines.length > 0 && <ProvingLines lines={debitLines} country={country} />,
            'Return shown by': returnLines.length > 0 && <ProvingLines lines={returnLines} country={country} />,
            Case: caseNo !== null && <ScreenLink to={`/cases/${merchantId}/${caseNo}`}>{`Case ${caseNo}`}</ScreenLink>,
            'First draft': <Time at={found.draftedAt} />,
            Approved: approvedAt && <Time at={approvedAt} />,
            Paid: paidAt && <Time at={paidAt} />,
            Confirmed: confirmedAt && <Time at={confirmedAt} />,
            Failed: failedAt && <Time at={failedAt} />,
          }}
        />
      </Panel>
    </>
  );
}

type Line = SettlementDetail['debitLines'][number];

/** All lines that prove a step together, with their sum if they are several. */
function ProvingLines({ lines, country }: { lines: readonly Line[]; country: SettlementDetail['country'] }) {
  const [first] = lines;
  return (
    <>
      {lines.map((line) => (
        <ProvingLine key={`${line.fileNo}/${line.lineNo}/${line.part}`} line={line} country={country} />
      ))}
      {first && lines.length > 1 && (
        <div className="soft">
          {lines.length} lines, together{' '}
          <Money amount={sumAmounts(lines.map(({ gross }) => gross))} currency={first.currency} />
        </div>
      )}
    </>
  );
}

/** The line of a bank's statement that proves a step, with a link to the statement. A line of a whole bank file has the sum of the file. */
function ProvingLine({
  line: { fileNo, lineNo, day, gross, currency },
  country,
}: {
  line: Line;
  country: SettlementDetail['country'];
}) {
  return (
    <div>
      <ScreenLink
        to={`/reconciliation/statements/${country}/${fileNo}`}
      >{`Row ${lineNo} of statement ${fileNo}`}</ScreenLink>
      <div>
        <Money amount={gross} currency={currency} /> on {showDay(day, 'dayMonthYear')}
      </div>
    </div>
  );
}

function BankAccountPanel({ found: { account, payee } }: { found: SettlementDetail }) {
  if (account === null)
    return (
      <Panel title="Bank account">
        <Notice tone="warn">The cycle has no bank account, so the settlement cannot be approved.</Notice>
      </Panel>
    );
  return (
    <Panel title="Bank account">
      <BankAccountFacts payee={payee} account={account} />
    </Panel>
  );
}
