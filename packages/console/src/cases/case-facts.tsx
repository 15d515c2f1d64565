import { Link } from '@tanstack/react-router';
import { holdsNoMoney, isOutgoing, isPlatform, refundStateWords } from '../format/case-words.ts';
import { orderKindWords, orderStatusWords } from '../format/words.ts';
import { MoneyFacts } from '../orders/order-facts.tsx';
import { PaymentLines } from '../orders/payment-lines.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { type CaseDetail, stillOut } from './case-detail.ts';

/** The money in suspense, its order, and the payments of that order. */
export function CaseFacts({ found }: { found: CaseDetail }) {
  const { merchantId, amount, heldAmount, cameBack, currency, kind, channelId, reference, openedAt, closedAt } = found;
  const rest = stillOut(found);
  return (
    <>
      <Panel title="Money">
        <Facts
          values={{
            Amount: <Money amount={amount} currency={currency} />,
            'In suspense': !holdsNoMoney(kind) && !isOutgoing(kind) && (
              <Money amount={heldAmount} currency={currency} />
            ),
            'Came back': cameBack !== '0.00' && <Money amount={cameBack} currency={currency} />,
            'Still out': rest !== null && <Money amount={rest} currency={currency} />,
            Merchant: isPlatform(merchantId) ? (
              `No merchant yet (${merchantId})`
            ) : (
              <ScreenLink to={`/merchants/${merchantId}`}>
                <span className="mono">{merchantId}</span>
              </ScreenLink>
            ),
            ...(kind === 'SETTLEMENT_FAILED'
              ? { Settlement: <ScreenLink to={`/settlements/${merchantId}/${reference}`}>{reference}</ScreenLink> }
              : {
                  Channel: <ScreenLink to={`/channels/${channelId}`}>{channelId}</ScreenLink>,
                  "Channel's reference": reference && <Copyable text={reference} what="reference" />,
                }),
            Opened: <Time at={openedAt} />,
            Decided: closedAt && <Time at={closedAt} />,
            Number: <span className="figures">{found.caseNo}</span>,
          }}
        />
      </Panel>
      <CaseRefund refund={found.refund} />
      {kind !== 'SETTLEMENT_FAILED' && <CaseOrder order={found.order} />}
    </>
  );
}

/** The progress of money that the channel sends back. */
function CaseRefund({ refund }: { refund: CaseDetail['refund'] }) {
  if (!refund) return null;
  const { refundNo, refundRef, state, channelId, lastAnswer, attempts, nextAttemptAt, requestedAt, endedAt } = refund;
  return (
    <Panel title="Refund">
      <Facts
        values={{
          State: <Status word={refundStateWords[state]} />,
          Channel: <ScreenLink to={`/channels/${channelId}`}>{channelId}</ScreenLink>,
          'Refund number': <Copyable text={refundNo} what="refund number" />,
          "Channel's reference": refundRef && <Copyable text={refundRef} what="reference" />,
          'Last answer': lastAnswer,
          Calls: <span className="figures">{attempts}</span>,
          'Next call': nextAttemptAt && <Time at={nextAttemptAt} />,
          Requested: <Time at={requestedAt} />,
          Ended: endedAt && <Time at={endedAt} />,
        }}
      />
    </Panel>
  );
}

function CaseOrder({ order }: { order: CaseDetail['order'] }) {
  if (!order)
    return (
      <Panel title="Order">
        <Empty title="No order">The channel named an order that does not exist here.</Empty>
      </Panel>
    );
  const { orderNo, kind, currency, payments } = order;
  const link = (
    <Link to="/orders/$orderNo" params={{ orderNo }}>
      Open
    </Link>
  );
  return (
    <>
      <Panel title="Order" side={link}>
        <Facts
          values={{
            [orderKindWords[kind].label]: <Copyable text={orderNo} what="order number" />,
            "Merchant's number": <Copyable text={order.merchantOrderNo} what="merchant's number" />,
            Status: <Status word={orderStatusWords[order.status]} />,
            Created: <Time at={order.createdAt} />,
          }}
        />
      </Panel>
      <Panel title="Money of the order">
        <MoneyFacts money={order.money} kind={kind} currency={currency} />
      </Panel>
      {payments.edges.length > 0 && (
        <Panel title="Payments of the order" isFlush>
          <PaymentLines payments={payments.edges.map(({ node }) => node)} order={order} />
        </Panel>
      )}
    </>
  );
}
