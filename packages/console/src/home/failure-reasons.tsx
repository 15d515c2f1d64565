import { groupCount } from '../format/money.ts';
import { orderKindWords, orderStatusWords, triggerLabel } from '../format/words.ts';
import type { HomeFiguresQuery, OrderKind } from '../generated/documents.generated.ts';
import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Panel } from '../parts/page.tsx';

type Failure = NonNullable<HomeFiguresQuery['payins']>['failures'][number] & { kind: OrderKind };

/** Why orders of today were not completed, the most frequent first. */
export function FailureReasons({ failures }: { failures: readonly Failure[] }) {
  return (
    <Panel title="Why orders failed" isFlush>
      {failures.length === 0 ? (
        <Empty title="No order failed today" />
      ) : (
        <Lines
          label="Why orders failed"
          rows={failures}
          rowKey={({ kind, status, trigger, message, currency }) => [kind, status, trigger, message, currency].join()}
          columns={[
            {
              title: 'Reason',
              cell: ({ message, trigger, status, kind }) => (
                <>
                  {message ?? triggerLabel(trigger)}{' '}
                  <div className="soft">
                    {orderKindWords[kind].label}, {orderStatusWords[status].label.toLowerCase()}
                  </div>
                </>
              ),
            },
            { title: 'Orders', align: 'end', cell: ({ orders }) => groupCount(orders) },
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
