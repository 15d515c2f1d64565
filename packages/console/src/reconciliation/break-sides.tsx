import { plainWords } from '../format/words.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import type { BreakDetail } from './break-detail.ts';
import { showDay } from './day-look.ts';
import { bookingNoOf, lineOfTopUp } from './line-of-top-up.ts';
import styles from './reconciliation.module.css';
import { directionWords } from './reconciliation-words.ts';

const reference = (text: string | null, what: string) => text && <Copyable text={text} what={what} />;

/** What the statement shows and what the ledger has, next to each other with the same names. */
export function BreakSides({ found }: { found: BreakDetail }) {
  return (
    <div className={styles.sides}>
      <StatementSide found={found} />
      <LedgerSide found={found} />
    </div>
  );
}

/** What a break is about that has a file, but no line. */
const withoutLine: Partial<Record<BreakDetail['kind'], string>> = {
  FEE: 'What the channel charged within its lines of this file and day.',
  CURRENCY: 'What the lines in another currency changed in the balance of this file.',
};

function StatementSide({ found: { line, unparsedRow, statement, kind } }: { found: BreakDetail }) {
  if (unparsedRow)
    return (
      <Panel title="Statement">
        <Facts
          values={{ Row: <span className="figures">{unparsedRow.lineNo}</span>, File: <File file={statement} /> }}
        />
        <p className={styles.text}>{unparsedRow.reason}</p>
      </Panel>
    );
  if (!line)
    return (
      <Panel title="Statement">
        {statement ? (
          <>
            <Facts values={{ File: <File file={statement} /> }} />
            <p className="soft">{withoutLine[kind] ?? 'No line is named.'}</p>
          </>
        ) : (
          <Empty title="No statement shows it">It may be in a later file.</Empty>
        )}
      </Panel>
    );
  const { currency } = line;
  const hasCharge = !/^0\.0*$/.test(line.fee) || !/^0\.0*$/.test(line.tax);
  return (
    <Panel title="Statement">
      <Facts
        values={{
          Amount: <Money amount={line.gross} currency={currency} />,
          Direction: directionWords[line.direction],
          Day: showDay(line.day, 'dayMonthYear'),
          What: plainWords(line.type),
          "Channel's reference": reference(line.channelRef, "channel's reference"),
          Order: reference(line.orderNo, 'order number'),
          'Bank reference': reference(line.bankRef, 'bank reference'),
          'Fee and tax': hasCharge && (
            <>
              <Money amount={line.fee} currency={currency} /> + <Money amount={line.tax} currency={currency} />
            </>
          ),
          Net: hasCharge && <Money amount={line.net} currency={currency} />,
          Settlement: reference(line.settlementRef, 'settlement reference'),
          Time: line.occurredAt && <Time at={line.occurredAt} look="second" />,
          Row: <span className="figures">{line.part === 0 ? line.lineNo : `${line.lineNo}, part ${line.part}`}</span>,
          File: <File file={statement} />,
        }}
      />
    </Panel>
  );
}

function File({ file }: { file: BreakDetail['statement'] }) {
  if (!file) return <>–</>;
  const { country, fileNo, name } = file;
  return <ScreenLink to={`/reconciliation/statements/${country}/${fileNo}`}>{`${name}, no. ${fileNo}`}</ScreenLink>;
}

/** Money that came in without an order may be a top-up: what to book, so that the line explains itself. */
function ProposedTopUp({ found }: { found: BreakDetail }) {
  const line = lineOfTopUp(found);
  if (line === null) return null;
  const bookingNo = bookingNoOf(line);
  return (
    <>
      If a merchant paid this in, top up its wallet: <Money amount={line.gross} currency={found.currency} />, channel{' '}
      <span className="mono">{found.channelId}</span>
      {bookingNo !== '' && (
        <>
          , number of the bank transfer <span className="mono">{bookingNo}</span>
        </>
      )}
      . The line then explains it, and this break ends by itself.
    </>
  );
}

function LedgerSide({ found }: { found: BreakDetail }) {
  const { expectation, currency, orderNo, state } = found;
  if (!expectation)
    return (
      <Panel title="Ledger">
        <Empty title={state === 'OPEN' ? 'The ledger has nothing of it' : 'The ledger had nothing of it'}>
          {orderNo !== null && (
            <>
              The line names the order <ScreenLink to={`/orders/${orderNo}`}>{orderNo}</ScreenLink>.
            </>
          )}
          <ProposedTopUp found={found} />
        </Empty>
      </Panel>
    );
  const { direction, day, cause, channelRef, orderRef, bankRef, merchantId, transferNo, postedAt, amount } =
    expectation;
  return (
    <Panel title="Ledger">
      <Facts
        values={{
          Amount: <Money amount={amount} currency={currency} />,
          Direction: directionWords[direction],
          Day: showDay(day, 'dayMonthYear'),
          What: plainWords(cause),
          "Channel's reference": reference(channelRef ?? orderRef, "channel's reference"),
          Order: expectation.orderNo && (
            <Copyable text={expectation.orderNo} what="order number">
              <ScreenLink to={`/orders/${expectation.orderNo}`}>{expectation.orderNo}</ScreenLink>
            </Copyable>
          ),
          'Bank reference': reference(bankRef, 'bank reference'),
          Merchant: <span className="mono">{merchantId}</span>,
          Transfer: <span className="figures">{transferNo}</span>,
          Posted: <Time at={postedAt} look="second" />,
        }}
      />
    </Panel>
  );
}
