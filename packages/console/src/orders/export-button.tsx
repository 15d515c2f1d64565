import { Button, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import {
  type OrderFilter,
  OrderListDocument,
  type OrderRowFragment,
  type OrderSort,
} from '../generated/documents.generated.ts';
import { messageOf } from '../graphql/client.ts';
import { saveCsv } from '../list/save-csv.ts';
import { Icon } from '../parts/icon.tsx';

const MOST_ROWS = 10_000;
const PAGE_SIZE = 250;

const COLUMNS: readonly (readonly [title: string, value: (row: OrderRowFragment) => string | null])[] = [
  ['order', ({ orderNo }) => orderNo],
  ['merchant', ({ merchantId }) => merchantId],
  ['merchant order', ({ merchantOrderNo }) => merchantOrderNo],
  ['kind', ({ kind }) => kind.toLowerCase()],
  ['country', ({ country }) => country],
  ['status', ({ status }) => status.toLowerCase()],
  ['amount', ({ amount }) => amount],
  ['paid', ({ paidAmount }) => paidAmount],
  ['currency', ({ currency }) => currency],
  ['channel', ({ channelId }) => channelId],
  ['created', ({ createdAt }) => createdAt],
  ['completed', ({ completedAt }) => completedAt],
  ['failure', ({ failureReason }) => failureReason],
  ['notification', ({ lastNotification }) => lastNotification?.state.toLowerCase() ?? null],
];

/** Saves all orders that match the filters as CSV, at most 10,000. */
export function ExportButton({ filter, sortBy }: { filter: OrderFilter; sortBy: OrderSort | undefined }) {
  const client = useClient();
  const [read, setRead] = useState<number | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const run = async () => {
    setNote(null);
    const rows: OrderRowFragment[] = [];
    for (let after: string | undefined; ; ) {
      setRead(rows.length);
      const variables = { filter, sortBy, first: PAGE_SIZE, after };
      const { data, error } = await client
        .query(OrderListDocument, variables, { requestPolicy: 'network-only' })
        .toPromise();
      if (!data?.orders) return stop(error ? messageOf(error) : 'The orders could not be read.');
      rows.push(...data.orders.edges.map(({ node }) => node));
      const { hasNextPage, endCursor } = data.orders.pageInfo;
      if (!hasNextPage || endCursor === null || rows.length >= MOST_ROWS) {
        saveCsv(
          'orders.csv',
          COLUMNS.map(([title]) => title),
          rows.map((row) => COLUMNS.map(([, value]) => value(row))),
        );
        return stop(
          hasNextPage ? `The file has the first ${rows.length} orders. Narrow the filters for the others.` : null,
        );
      }
      after = endCursor;
    }
  };
  const stop = (text: string | null) => {
    setRead(null);
    setNote(text);
  };
  return (
    <>
      {note !== null && (
        <span className="soft" role="status">
          {note}
        </span>
      )}
      <Tooltip label="The orders that match the filters, at most 10,000, without personal data">
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          disabled={read !== null}
          onClick={() => void run()}
        >
          {read === null ? 'CSV' : `${read} read …`}
        </Button>
      </Tooltip>
    </>
  );
}
