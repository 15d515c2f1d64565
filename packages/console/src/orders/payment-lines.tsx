import type { OrderKind, PaymentOutcome, PaymentUse } from '../generated/documents.generated.ts';
import { Copyable } from '../parts/copyable.tsx';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { wordOfPayment } from './money-words.ts';

interface Payment {
  readonly number: number;
  readonly reference: string | null;
  readonly amount: string;
  readonly channelId: string;
  readonly outcome: PaymentOutcome;
  readonly use: PaymentUse;
  readonly receivedAt: string;
}

/** Payments of an order that its channel reported. */
export function PaymentLines({
  payments,
  order: { kind, currency },
}: {
  payments: readonly Payment[];
  order: { readonly kind: OrderKind; readonly currency: string };
}) {
  const columns: LineColumn<Payment>[] = [
    {
      title: 'Bank reference',
      wraps: true,
      cell: ({ reference, receivedAt }) => (
        <>
          {reference === null ? 'None' : <Copyable text={reference} what="bank reference" />}
          <div className="soft">
            <Time at={receivedAt} />
          </div>
        </>
      ),
    },
    { title: 'Now', cell: (payment) => <Status word={wordOfPayment(payment, kind)} /> },
    { title: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} currency={currency} /> },
  ];
  return <Lines label="Payments" columns={columns} rows={payments} rowKey={({ number }) => number} />;
}
