import type { Word } from '../format/words.ts';
import type { PaymentUse } from '../generated/documents.generated.ts';
import { Copyable } from '../parts/copyable.tsx';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

interface Payment {
  readonly reference: string;
  readonly amount: string;
  readonly channelId: string;
  readonly use: PaymentUse;
  readonly receivedAt: string;
}

/** The use of a payment, in words. */
const USES: Readonly<Record<PaymentUse, Word>> = {
  CREDITED: { label: 'Credited', tone: 'good' },
  PART: { label: 'Part of the amount', tone: 'info' },
  EVIDENCE: { label: 'Evidence', tone: 'info' },
  RETURNED: { label: 'Returned', tone: 'idle' },
  SUSPENSE: { label: 'In suspense', tone: 'warn' },
  UNASKED: { label: 'Not asked for', tone: 'warn' },
};

/** Payments of an order that its channel reported. */
export function PaymentLines({ payments, currency }: { payments: readonly Payment[]; currency: string }) {
  const columns: LineColumn<Payment>[] = [
    {
      title: 'Bank reference',
      wraps: true,
      cell: ({ reference, receivedAt }) => (
        <>
          <Copyable text={reference} what="bank reference" />
          <div className="soft">
            <Time at={receivedAt} />
          </div>
        </>
      ),
    },
    { title: 'Use', cell: ({ use }) => <Status word={USES[use]} /> },
    { title: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} currency={currency} /> },
  ];
  return (
    <Lines
      label="Payments"
      columns={columns}
      rows={payments}
      rowKey={({ channelId, reference }) => `${channelId} ${reference}`}
    />
  );
}
