import { loadExports } from '@tidegate/domain/lists';
import type { DataExport, ExportFormat, ExportKind, ExportState } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { loaded } from '../graphql/loaded.ts';

type Rows<Values extends string> = { [Value in Values as Uppercase<Value>]: { value: Value; description: string } };

const ExportKindEnum = builder.enumType('ExportKind', {
  description: 'What is exported.',
  values: {
    ORDERS: { value: 'orders', description: 'Orders by filter, without personal data.' },
    WALLET_STATEMENT: { value: 'wallet_statement', description: "Statement of a merchant's wallet." },
    BREAKS: { value: 'breaks', description: 'Breaks of a day of the reconciliation.' },
    STATEMENT_LINES: { value: 'statement_lines', description: 'Lines of a day, with what explains them.' },
    AUDIT_RECORDS: { value: 'audit_records', description: 'Audit records by filter.' },
  } as const satisfies Rows<ExportKind>,
});

export const ExportFormatEnum = builder.enumType('ExportFormat', {
  description: 'Format of an exported file.',
  values: {
    CSV: { value: 'csv', description: 'Comma-separated values in UTF-8 (RFC 4180).' },
    XLSX: { value: 'xlsx', description: 'Workbook of Excel with one sheet.' },
    HTML: { value: 'html', description: 'Page for printing on A4. Only for the statement of a wallet.' },
  } as const satisfies Rows<ExportFormat>,
});

const ExportStateEnum = builder.enumType('ExportState', {
  description: 'State of an export.',
  values: {
    WAITING: { value: 'waiting', description: 'Waits for a worker.' },
    RUNNING: { value: 'running', description: 'Is being written.' },
    READY: { value: 'ready', description: 'Can be downloaded.' },
    FAILED: { value: 'failed', description: 'Could not be written. `failure` says why.' },
    CANCELLED: { value: 'cancelled', description: 'Cancelled by an operator. There is no file.' },
    EXPIRED: { value: 'expired', description: 'Its file has expired.' },
  } as const satisfies Rows<ExportState>,
});

/** Path for the download of an export. */
const pathOf = (exportId: string): string => `/exports/${exportId}`;

const stateOf = ({ state, isExpired }: DataExport): ExportState => (isExpired ? 'expired' : state);

/** An export, by its id. Its owner and admins see it. */
export const ExportType = builder.loadableNodeRef('Export', {
  id: { resolve: ({ exportId }: DataExport) => exportId },
  load: async (ids: string[], context) => loaded(await loadExports(context.domain, operatorOf(context), ids)),
});

ExportType.implement({
  description: 'A file that a worker writes for an operator. It is kept for 7 days.',
  fields: (t) => ({
    exportId: t.exposeString('exportId', { description: 'Id of the export.' }),
    kind: t.expose('kind', { type: ExportKindEnum, description: 'What is exported.' }),
    format: t.expose('format', { type: ExportFormatEnum, description: 'Format of the file.' }),
    state: t.field({ type: ExportStateEnum, description: 'State.', resolve: stateOf }),
    name: t.exposeString('name', { description: 'Name of the file.' }),
    rowsWritten: t.exposeInt('rowsWritten', { description: 'Number of rows that are written.' }),
    rowsExpected: t.exposeInt('rowsExpected', {
      nullable: true,
      description: 'Approximate number of rows. Null: not known yet.',
    }),
    sizeBytes: t.exposeInt('size', { description: 'Size of the file in bytes, as far as it is written.' }),
    sha256: t.exposeString('sha256', {
      nullable: true,
      description: 'SHA-256 of the file, in hexadecimal digits. Null: there is no whole file.',
    }),
    failure: t.exposeString('failure', { nullable: true, description: 'Why it could not be written.' }),
    path: t.string({
      nullable: true,
      description: 'Path of the download at this server. Null: there is nothing to download.',
      resolve: (row) => (stateOf(row) === 'ready' ? pathOf(row.exportId) : null),
    }),
    requestedBy: t.exposeString('requestedBy', { description: 'Id of the operator who requested it.' }),
    requestedAt: t.expose('requestedAt', { type: 'DateTime', description: 'Time of the request.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was written, failed or was cancelled.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which its file is deleted.',
    }),
  }),
});
