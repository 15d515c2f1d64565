import * as z from 'zod';
import { auditRecordFilter } from '../configuration/index.ts';
import { countries } from '../countries/index.ts';
import { statementRequest } from '../ledger/index.ts';
import { channelId } from '../lists/filter-parts.ts';
import { orderFilter } from '../orders/index.ts';
import { dayText } from '../reconciliation/index.ts';
import { type ExportKind, exportFormats } from './types.ts';

const dayOfReconciliation = z.strictObject({
  country: z.enum(countries),
  channelId: channelId.nullish(),
  day: dayText,
});

/** Field of the input for each kind. */
const fieldOf = {
  orders: 'orders',
  walletStatement: 'wallet_statement',
  breaks: 'breaks',
  statementLines: 'statement_lines',
  auditRecords: 'audit_records',
} as const satisfies Record<string, ExportKind>;
type Field = keyof typeof fieldOf;
const fields = Object.keys(fieldOf) as Field[];

const oneOfThem = `must be exactly one of ${fields.join(', ')}`;

/**
 * The input of an export: exactly one of the fields besides `format`. Only the statement of a wallet can be exported as
 * a page for print.
 */
export const exportInput = z
  .strictObject({
    format: z.enum(exportFormats),
    orders: orderFilter.nullish(),
    walletStatement: statementRequest.nullish(),
    breaks: dayOfReconciliation.nullish(),
    statementLines: dayOfReconciliation.nullish(),
    auditRecords: auditRecordFilter.nullish(),
  })
  .refine((input) => fields.filter((field) => input[field] != null).length === 1, { error: oneOfThem })
  .refine(({ format, walletStatement }) => format !== 'html' || walletStatement != null, {
    path: ['format'],
    error: 'must be csv or xlsx: only the statement of a wallet can be printed',
  });
export type ExportInput = z.output<typeof exportInput>;

/** The kind that a valid input asks for. */
export function kindOf(input: ExportInput): ExportKind {
  const field = fields.find((one) => input[one] != null);
  if (!field) throw new Error(`an export ${oneOfThem}`);
  return fieldOf[field];
}
