import { cancelExport, exporters, exportLimits, requestExport } from '@tidegate/domain/operators';
import { AuditLogFilter } from '../audit/audit-log-query.ts';
import { CountryEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { problemOf, problemTypes } from '../operation/problems.ts';
import { OrderFilter } from '../order/order-filter.ts';
import { StatementInput } from '../wallet/wallet-statement-query.ts';
import { ExportFormatEnum, ExportType } from './export-type.ts';

const ReconciliationDayInput = builder.inputType('ExportDayInput', {
  description: 'A day of the reconciliation.',
  fields: (t) => ({
    country: t.field({ type: CountryEnum, required: true, description: 'Country. The day is in its time zone.' }),
    channelId: t.string({ description: 'Only of this channel. Default: of all.' }),
    day: t.string({ required: true, description: 'The day, such as 2026-11-21.' }),
  }),
});

const RequestExportInput = builder.inputType('RequestExportInput', {
  description: 'What to export: exactly one field besides the format.',
  fields: (t) => ({
    format: t.field({ type: ExportFormatEnum, required: true, description: 'Format of the file.' }),
    orders: t.field({
      type: OrderFilter,
      description: 'Orders by filter, oldest first. Roles: support, operator, finance, admin.',
    }),
    walletStatement: t.field({
      type: StatementInput,
      description: "Statement of a merchant's wallet. Roles: operator, finance, admin.",
    }),
    breaks: t.field({ type: ReconciliationDayInput, description: 'Breaks of a day. Roles: finance, admin.' }),
    statementLines: t.field({
      type: ReconciliationDayInput,
      description: 'Lines of a day, from all its statements. Roles: finance, admin.',
    }),
    auditRecords: t.field({ type: AuditLogFilter, description: 'Audit records, newest first. Roles: finance, admin.' }),
  }),
});

builder.mutationField('requestExport', (t) =>
  t.field({
    type: ExportType,
    description: `Request a file, which a worker writes. You can have ${exportLimits.open} open exports. Roles: ${exporters.join(', ')}.`,
    authScopes: { roles: exporters },
    args: { input: t.arg({ type: RequestExportInput, required: true, description: 'What to export, and how.' }) },
    errors: {
      types: problemTypes,
      union: { name: 'RequestExportResult', description: 'The export, or the reason why it was refused.' },
    },
    resolve: async (_root, { input }, context) => {
      const done = await requestExport(context.domain, operatorOf(context), input);
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);

builder.mutationField('cancelExport', (t) =>
  t.field({
    type: ExportType,
    description: `Cancel an export, or delete its file: your own, or as an admin that of others. Roles: ${exporters.join(', ')}.`,
    authScopes: { roles: exporters },
    args: { exportId: t.arg.string({ required: true, description: 'Id of the export.' }) },
    errors: {
      types: problemTypes,
      union: { name: 'CancelExportResult', description: 'The export, or the reason why it stays.' },
    },
    resolve: async (_root, { exportId }, context) => {
      const done = await cancelExport(context.domain, operatorOf(context), exportId);
      if (!done.ok) throw problemOf(done);
      return done.value;
    },
  }),
);
