import { Button } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { groupCount } from '../format/money.ts';
import { plainWords } from '../format/words.ts';
import { MerchantChangesDocument } from '../generated/documents.generated.ts';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';

/** Changes of the merchant's configuration, the newest first, 20 at a time. */
export function MerchantHistory({ merchantId }: { merchantId: string }) {
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const after = cursors.at(-1);
  const [{ data, error }, read] = useQuery({
    query: MerchantChangesDocument,
    variables: { merchantId, ...(after !== undefined && { after }) },
  });
  const history = data?.merchantHistory;
  const rows = history?.edges.map(({ node }) => node) ?? [];
  const { hasNextPage, endCursor } = history?.pageInfo ?? {};
  return (
    <Panel title="Changes" side={history && groupCount(history.totalCount)} isFlush>
      {error && <Failure error={error} retry={() => read({ requestPolicy: 'network-only' })} />}
      {history && rows.length === 0 && <Empty title="No change yet">Each change of the settings appears here.</Empty>}
      {rows.length > 0 && <Lines label="Changes" columns={columns} rows={rows} rowKey={({ version }) => version} />}
      {(cursors.length > 1 || hasNextPage) && (
        <Button.Group>
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={cursors.length === 1}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Newer
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={!hasNextPage}
            onClick={() => endCursor && setCursors([...cursors, endCursor])}
          >
            Older
          </Button>
        </Button.Group>
      )}
    </Panel>
  );
}

interface Change {
  version: number;
  action: string;
  actor: string;
  approver: string | null;
  at: string;
  reason: string;
  changes: readonly { field: string; before: string | null; after: string | null }[];
}

const columns: LineColumn<Change>[] = [
  { title: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'What',
    cell: ({ action, reason }) => (
      <>
        {plainWords(action)}
        <div className="soft">{reason}</div>
      </>
    ),
  },
  { title: 'Who', cell: ({ actor, approver }) => (approver && approver !== actor ? `${actor}, ${approver}` : actor) },
  {
    title: 'Changed',
    cell: ({ changes }) =>
      changes.map(({ field, before, after }) => (
        <div key={field}>
          <span className="soft">{plainWords(field)}:</span> {before ?? '–'} → {after ?? '–'}
        </div>
      )),
  },
];
