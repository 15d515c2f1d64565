import {
  type StatementEntryFilter,
  type WalletStatementInput,
  WalletStatementPageDocument,
  type WalletStatementPageQuery,
} from '../generated/documents.generated.ts';
import { CsvButton, type CsvColumns } from '../list/csv-button.tsx';

type Entry = NonNullable<WalletStatementPageQuery['walletStatement']>['entries']['edges'][number]['node'];

const COLUMNS: CsvColumns<Entry> = [
  ['number', ({ entryNo }) => String(entryNo)],
  ['booked', ({ createdAt }) => createdAt],
  ['type', ({ type }) => type.toLowerCase()],
  ['available change', ({ availableChange }) => availableChange],
  ['frozen change', ({ frozenChange }) => frozenChange],
  ['available after', ({ availableAfter }) => availableAfter],
  ['frozen after', ({ frozenAfter }) => frozenAfter],
  ['order', ({ orderNo }) => orderNo],
  ['transfer', ({ bookingNo }) => bookingNo],
  ['remark', ({ remark }) => remark],
];

/** Saves the entries of a statement as CSV. */
export function StatementCsv(props: {
  input: WalletStatementInput;
  filter: StatementEntryFilter | undefined;
  name: string;
}) {
  const { input, filter, name } = props;
  return (
    <CsvButton
      file={name}
      what="entries"
      columns={COLUMNS}
      document={WalletStatementPageDocument}
      variables={{ input, ...(filter && { filter }) }}
      pick={(data) => data.walletStatement?.entries}
    />
  );
}
