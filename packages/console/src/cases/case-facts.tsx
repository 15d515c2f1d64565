import { Link } from '@tanstack/react-router';
import { orderKindWords, orderStatusWords } from '../format/words.ts';
import { PaymentLines } from '../orders/payment-lines.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import type { CaseDetail } from './case-detail.ts';
import { holdsNoMoney, isPlatform, refundStateWords } from './case-words.ts';

/** The money in suspense, its order, and the payments of that order. */
export function CaseFacts({ found }: { found: CaseDetail }) {
  const { merchantId, amount, currency, kind, channelId, reference, openedAt, closedAt, caseNo, state } = found;
  const isHeld = !holdsNoMoney(kind) && (state === 'OPEN' || state === 'RETURNING');
  return (
    <>
      <Panel title="Money">
        <Facts
          values={{
            [isHeld ? 'In suspense' : 'Amount']: <Money amount={amount} currency={currency} />,
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
            Number: <span className="figures">{caseNo}</span>,
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
            Amount: <Money amount={order.amount} currency={currency} />,
            Paid: kind === 'PAYIN' ? <Money amount={order.paidAmount} currency={currency} /> : null,
            Created: <Time at={order.createdAt} />,
            Failure: order.failureReason,
          }}
        />
      </Panel>
      {payments.edges.length > 0 && (
        <Panel title="Payments of the order" isFlush>
          <PaymentLines payments={payments.edges.map(({ node }) => node)} currency={currency} />
        </Panel>
      )}
    </>
  );
}
