import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Button, Tooltip } from '@mantine/core';
import type { AnyVariables } from '@urql/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { messageOf } from '../format/error-words.ts';
import { Icon } from '../parts/icon.tsx';
import { saveCsv } from './save-csv.ts';
import type { Connection } from './use-list.ts';

const MAX_ROWS = 10_000;
const PAGE_SIZE = 100;
/** Pages of a search can be short. */
const MAX_PAGES = 200;

export type CsvColumns<Row> = readonly (readonly [title: string, value: (row: Row) => string | null])[];

interface CsvProps<Data, Row> {
  file: string;
  /** Plural of what is saved. */
  what: string;
  columns: CsvColumns<Row>;
  // biome-ignore lint/suspicious/noExplicitAny: the variables of a list, without those of its page.
  document: TypedDocumentNode<Data, any>;
  variables: Readonly<Record<string, unknown>>;
  pick: (data: Data) => Connection<Row> | null | undefined;
}

/** Saves everything that matches the filters of a list as CSV, at most 10,000 rows. */
export function CsvButton<Data, Row>({ file, what, columns, document, variables, pick }: CsvProps<Data, Row>) {
  const client = useClient();
  const [read, setRead] = useState<number | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const stop = (text: string | null) => {
    setRead(null);
    setNote(text);
  };
  const run = async () => {
    setNote(null);
    const rows: Row[] = [];
    let pages = 0;
    for (let after: string | undefined; ; ) {
      pages += 1;
      setRead(rows.length);
      const page: AnyVariables = { ...variables, first: PAGE_SIZE, after };
      const { data, error } = await client.query(document, page, { requestPolicy: 'network-only' }).toPromise();
      const connection = data && pick(data);
      if (!connection) return stop(error ? messageOf(error) : `The ${what} could not be read.`);
      rows.push(...connection.edges.map(({ node }) => node));
      const { hasNextPage, endCursor } = connection.pageInfo;
      if (!hasNextPage || endCursor === null || rows.length >= MAX_ROWS || pages >= MAX_PAGES) {
        saveCsv(
          file,
          columns.map(([title]) => title),
          rows.map((row) => columns.map(([, value]) => value(row))),
        );
        return stop(
          hasNextPage ? `The file has the first ${rows.length} ${what}. Narrow the filters for the others.` : null,
        );
      }
      after = endCursor;
    }
  };
  return (
    <>
      {note !== null && (
        <span className="soft" role="status">
          {note}
        </span>
      )}
      <Tooltip label={`The ${what} that match the filters, at most 10,000, without personal data`}>
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
