import type { AnyVariables, Client } from '@urql/core';
import { messageOf } from '../format/error-words.ts';
import { asSentence, plainWords } from '../format/words.ts';
import {
  type PreviewPartsFragment,
  StatementPreviewDocument,
  type StatementPreviewQueryVariables,
} from '../generated/documents.generated.ts';
import { Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Notice } from '../parts/notice.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { showDay } from './day-look.ts';
import styles from './reconciliation.module.css';

/** How far a preview has come. `fields`: what is wrong with each field of a profile. */
export type PreviewStep =
  | { at: 'none' }
  | { at: 'reading' }
  | { at: 'refused'; message: string; fields: Readonly<Record<string, string>> }
  | { at: 'read'; preview: PreviewPartsFragment };

/** Lets the API read an uploaded file. Nothing of it is stored. */
export async function readPreview(client: Client, variables: StatementPreviewQueryVariables): Promise<PreviewStep> {
  const { data, error } = await client
    .query(StatementPreviewDocument, variables as StatementPreviewQueryVariables & AnyVariables, {
      requestPolicy: 'network-only',
    })
    .toPromise();
  const answer = data?.statementPreview;
  if (!answer) return { at: 'refused', message: error ? messageOf(error) : 'The service did not answer.', fields: {} };
  if (answer.__typename === 'StatementPreview') return { at: 'read', preview: answer };
  const fields = 'fields' in answer ? answer.fields : [];
  const byField = Object.fromEntries(fields.map(({ path, reason }) => [path.replace(/\.\d+$/, ''), reason]));
  return { at: 'refused', message: asSentence(answer.message), fields: byField };
}

/** The result of a preview: whether the file would be imported, its first rows, and every row that would be set aside. */
export function PreviewResult({ step }: { step: PreviewStep }) {
  if (step.at === 'none') return null;
  if (step.at === 'reading') return <p role="status">The file is being read …</p>;
  if (step.at === 'refused') return <Notice tone="bad">{step.message}</Notice>;
  const { preview } = step;
  return (
    <Panel title="Preview" isFlush>
      <div className={styles.previewHead}>
        {preview.refusal === null ? (
          <Notice tone="good">The file would be imported. Nothing is stored yet.</Notice>
        ) : (
          <Notice tone="bad">The whole file would be refused. {asSentence(preview.refusal)}</Notice>
        )}
        <Totals preview={preview} />
      </div>
      {preview.unparsed.length > 0 && <SetAside rows={preview.unparsed} />}
      {preview.rows.length > 0 && <Rows preview={preview} />}
    </Panel>
  );
}

function Totals({ preview }: { preview: PreviewPartsFragment }) {
  const { currency, lines, unparsed, firstDay, lastDay, totalIn, totalOut, opening, closing, accounts } = preview;
  const money = (amount: string | null) => amount !== null && <Money amount={amount} currency={currency} />;
  return (
    <Facts
      values={{
        Lines: lines,
        'Set aside': unparsed.length,
        Days:
          firstDay &&
          lastDay &&
          (firstDay === lastDay ? showDay(firstDay) : `${showDay(firstDay)} to ${showDay(lastDay)}`),
        In: money(totalIn),
        Out: money(totalOut),
        'Opening balance': money(opening),
        'Closing balance': money(closing),
        Account: accounts.join(', '),
      }}
    />
  );
}

function SetAside({ rows }: { rows: PreviewPartsFragment['unparsed'] }) {
  return (
    <>
      <h3 className={styles.previewTitle}>Rows that would be set aside: {rows.length}</h3>
      <div className={styles.previewRows}>
        <Lines
          label="Rows that would be set aside"
          rows={rows}
          rowKey={({ lineNo, reason }) => `${lineNo} ${reason}`}
          columns={[
            { title: 'Row', cell: ({ lineNo }) => <span className="figures">{lineNo}</span> },
            { title: 'Why', wraps: true, cell: ({ reason }) => asSentence(reason) },
          ]}
        />
      </div>
    </>
  );
}

type Row = PreviewPartsFragment['rows'][number];
const none = <span className="soft">–</span>;
const isZero = (amount: string): boolean => /^0\.0*$/.test(amount);

function Rows({ preview: { rows, lines } }: { preview: PreviewPartsFragment }) {
  const charges = (row: Row) => (
    <>
      {isZero(row.fee) ? none : <Money amount={row.fee} currency={row.currency} />}
      {!isZero(row.tax) && (
        <>
          {' '}
          + <Money amount={row.tax} currency={row.currency} />
        </>
      )}
    </>
  );
  return (
    <>
      <h3 className={styles.previewTitle}>
        {lines > rows.length ? `The first ${rows.length} of ${lines} lines` : 'Lines'}
      </h3>
      <div className={styles.previewRows}>
        <Lines
          label="Lines"
          rows={rows}
          rowKey={({ lineNo, part }) => `${lineNo} ${part}`}
          columns={[
            { title: 'Row', cell: ({ lineNo }) => <span className="figures">{lineNo}</span> },
            { title: 'Day', cell: ({ day }) => showDay(day) },
            { title: 'What', cell: ({ type }) => plainWords(type) },
            {
              title: 'Net',
              align: 'end',
              cell: ({ direction, net, currency }) => (
                <Money amount={direction === 'OUT' && !net.startsWith('-') ? `-${net}` : net} currency={currency} />
              ),
            },
            {
              title: 'Gross',
              align: 'end',
              cell: ({ gross, currency }) => <Money amount={gross} currency={currency} />,
            },
            { title: 'Fee and tax', align: 'end', cell: charges },
            { title: 'References', wraps: true, cell: (row) => <References row={row} /> },
            {
              title: 'Balance',
              align: 'end',
              cell: ({ balanceAfter, currency }) =>
                balanceAfter === null ? none : <Money amount={balanceAfter} currency={currency} />,
            },
          ]}
        />
      </div>
    </>
  );
}

function References({ row: { channelRef, orderNo, bankRef, settlementRef } }: { row: Row }) {
  const named = [
    ['channel', channelRef],
    ['order', orderNo],
    ['bank', bankRef],
    ['settlement', settlementRef],
  ].filter(([, reference]) => reference !== null);
  if (named.length === 0) return none;
  return (
    <ul className={styles.references}>
      {named.map(([whose, reference]) => (
        <li key={whose}>
          <span className="soft">{whose}</span> <span className="mono">{reference}</span>
        </li>
      ))}
    </ul>
  );
}
