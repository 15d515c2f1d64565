import { ExportMenu } from '../exports/menu.tsx';
import {
  type StatementEntryFilter,
  type WalletStatementInput,
  WalletStatementPageDocument,
  type WalletStatementPageQuery,
} from '../generated/documents.generated.ts';
import { CsvButton, type CsvColumns } from '../list/csv-button.tsx';
import { useMe } from '../session/use-me.ts';

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

const EXPORTERS: readonly string[] = ['OPERATOR', 'FINANCE', 'ADMIN'];

/** Exports a whole statement. Entries of some types, or those that a viewer sees, are saved as CSV. */
export function StatementCsv(props: {
  input: WalletStatementInput;
  filter: StatementEntryFilter | undefined;
  name: string;
}) {
  const { input, filter, name } = props;
  const mayExport = useMe().roles.some((role) => EXPORTERS.includes(role));
  if (mayExport && !filter) return <ExportMenu what={{ walletStatement: input }} formats={['CSV', 'XLSX', 'HTML']} />;
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
