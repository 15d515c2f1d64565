import { groupCount } from '../format/money.ts';
import { orderStatusWords, plainWords } from '../format/words.ts';
import type { HomeFiguresQuery } from '../generated/documents.generated.ts';
import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Panel } from '../parts/page.tsx';

type Failure = NonNullable<HomeFiguresQuery['totals']>['failures'][number];

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
          rowKey={({ status, trigger, message, currency }) => `${status} ${trigger} ${message} ${currency}`}
          columns={[
            {
              title: 'Reason',
              cell: ({ message, trigger, status }) => (
                <>
                  {message ?? plainWords(trigger)} <div className="soft">{orderStatusWords[status].label}</div>
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
