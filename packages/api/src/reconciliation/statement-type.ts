import { type Country, currencyOf } from '@tidegate/domain';
import {
  listFormats,
  loadStatements,
  pageStatements,
  profileVersionOf,
  type StatementFile,
  statementFilter,
} from '@tidegate/domain/lists';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import { CountryEnum, CurrencyEnum } from '../enums/enums.ts';
import { StatementStateEnum } from '../enums/reconciliation-enums.ts';
import { builder } from '../graphql/builder.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';

/** The country of a platform tenant, such as PLATFORM-PK. */
function countryOf({ merchantId }: { merchantId: string }): Country {
  return merchantId.slice('PLATFORM-'.length) as Country;
}

export const countryField = {
  type: CountryEnum,
  description: 'Country. The days are in its time zone.',
  resolve: countryOf,
};
export const currencyField = {
  type: CurrencyEnum,
  description: 'Currency of the amounts.',
  resolve: (row: { merchantId: string }) => currencyOf[countryOf(row)],
};

/** A statement, by its tenant and number. */
export const ChannelStatementType = builder.loadableNodeRef('ChannelStatement', {
  id: { resolve: ({ merchantId, fileNo }: StatementFile) => keyOf(merchantId, fileNo) },
  load: async (keys: string[], context) =>
    loaded(await loadStatements(context.domain, scopeOf(context), keys.map(statementRefOf))),
});

export function statementRefOf(key: string): { merchantId: string; fileNo: number } {
  const [merchantId, fileNo] = partsOf(key);
  return { merchantId, fileNo: readWholeNumber(fileNo, 1, Number.MAX_SAFE_INTEGER) ?? 0 };
}

ChannelStatementType.implement({
  description: 'A statement of a channel or a bank, as it was uploaded.',
  fields: (t) => ({
    fileNo: t.exposeInt('fileNo', { description: 'Number of the statement.' }),
    country: t.field(countryField),
    currency: t.field(currencyField),
    channelId: t.exposeString('channelId', { nullable: true, description: 'Channel. Null before its import.' }),
    state: t.expose('state', { type: StatementStateEnum, description: 'State.' }),
    format: t.exposeString('format', { nullable: true, description: 'Format. Null before its import.' }),
    formatVersion: t.exposeInt('formatVersion', {
      nullable: true,
      description: 'Version of the parser of this format.',
    }),
    profileVersion: t.int({
      nullable: true,
      description: 'Version of the CSV profile with which it was received. Null for other formats.',
      resolve: ({ format, formatVersion }) => profileVersionOf(format, formatVersion),
    }),
    name: t.exposeString('name', { description: 'Name of the file.' }),
    sizeBytes: t.exposeInt('size', { description: 'Size in bytes.' }),
    sha256: t.exposeString('sha256', { nullable: true, description: 'SHA-256 of the file, in hexadecimal digits.' }),
    refusal: t.exposeString('refusal', { nullable: true, description: 'Why none of its lines counts.' }),
    lines: t.exposeInt('lines', { nullable: true, description: 'Number of lines.' }),
    unparsedRows: t.exposeInt('unparsed', { nullable: true, description: 'Number of rows that cannot be read.' }),
    firstDay: t.exposeString('firstDay', { nullable: true, description: 'First day that it covers.' }),
    lastDay: t.exposeString('lastDay', { nullable: true, description: 'Last day that it covers.' }),
    totalIn: t.expose('totalIn', {
      type: 'Decimal',
      nullable: true,
      description: 'Net amount that came in, in `currency`.',
    }),
    totalOut: t.expose('totalOut', {
      type: 'Decimal',
      nullable: true,
      description: 'Net amount that left, in `currency`.',
    }),
    opening: t.expose('opening', {
      type: 'Decimal',
      nullable: true,
      description: 'Opening balance, in `currency`, if it names one.',
    }),
    closing: t.expose('closing', {
      type: 'Decimal',
      nullable: true,
      description: 'Closing balance, in `currency`, if it names one.',
    }),
    uploadedBy: t.exposeString('uploadedBy', {
      description: 'Id of the operator who uploaded it or asked for it, or `the schedule`.',
    }),
    importedBy: t.exposeStringList('importedBy', {
      description: 'Ids of the operators who imported it. Neither they nor the uploader can confirm it.',
    }),
    uploadedAt: t.expose('uploadedAt', { type: 'DateTime', description: 'Time of the upload.' }),
    importedAt: t.expose('importedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which its import ended.',
    }),
    fetchedDay: t.exposeString('fetchedDay', {
      nullable: true,
      description: 'Day for which it was fetched from the channel. Null if it was uploaded.',
    }),
    contentDeletedAt: t.expose('contentDeletedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which its bytes were deleted, because they are kept for a limited time. Its lines stay.',
    }),
  }),
});

builder.objectFields(ChannelStatementType, (t) => ({
  confirmedBy: t.exposeString('confirmedBy', {
    nullable: true,
    description: 'Id of the operator who confirmed that this upload is the statement of the bank.',
  }),
  confirmedAt: t.expose('confirmedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of that confirmation.',
  }),
}));

const StatementFilter = builder.inputType('ChannelStatementFilter', {
  description: 'Filter for statements. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of these platform tenants, such as PLATFORM-PK.' }),
    states: t.field({ type: [StatementStateEnum], description: 'In any of these states.' }),
    channelIds: t.stringList({ description: 'Of any of these channels.' }),
    day: t.string({ description: 'That cover this day, such as 2026-11-21.' }),
  }),
});

builder.queryField('statements', (t) =>
  t.connection({
    type: ChannelStatementType,
    description: 'Statements of channels and banks, newest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: StatementFilter,
        description: 'Filter. Default: all statements that you may see.',
        validate: { schema: statementFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(await pageStatements(context.domain, scopeOf(context), filter ?? {}, pageOf('statements', page))),
  }),
);

builder.queryField('statementFormats', (t) =>
  t.stringList({
    description: 'Formats that importStatement takes, also those of stored CSV profiles.',
    authScopes: { operator: true },
    resolve: async (_root, _args, { domain }) => (await listFormats(domain)).map(({ name }) => name),
  }),
);
