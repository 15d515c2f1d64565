import {
  loadAccountEndings,
  pageSettlementFiles,
  type SettlementFile,
  settlementFileFilter,
} from '@tidegate/domain/lists';
import { addOperationForTwo } from '../approval/operation-field.ts';
import { CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { EndingType } from '../operation/bank-account-type.ts';

type Currency = (typeof CurrencyEnum)['$inferType'];

const SettlementFileStateEnum = builder.enumType('SettlementFileState', {
  description: 'State of a bank file.',
  values: {
    OPEN: { value: 'open', description: 'Its settlements are being claimed. createSettlementFile goes on with it.' },
    READY: { value: 'ready', description: 'It can be downloaded. The first download fixes its content.' },
  } as const,
});

const SettlementFileType = builder.objectRef<SettlementFile>('SettlementFile').implement({
  description: 'Bank file of approved settlements: ISO 20022 pain.001.001.09. Each settlement is in at most one.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: "The platform's tenant of the country." }),
    fileNo: t.exposeString('fileNo', { description: 'Number of the file, which is its message identification.' }),
    state: t.expose('state', { type: SettlementFileStateEnum, description: 'Current state.' }),
    currency: t.field({
      type: CurrencyEnum,
      description: 'Currency of the payments.',
      resolve: ({ currency }) => currency as Currency,
    }),
    executionDay: t.exposeString('executionDay', { description: 'Day on which the bank should pay.' }),
    settlements: t.exposeInt('settlements', { description: 'Number of payments. 0 until it is ready.' }),
    total: t.expose('total', { type: 'Decimal', description: 'Sum of the payments, in `currency`.' }),
    sha256: t.exposeString('sha256', { nullable: true, description: 'SHA-256 of its bytes. Null until it is ready.' }),
    downloadedAt: t.expose('downloadedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the first download. Until then the file does not contain settlements that failed.',
    }),
    downloadPath: t.string({
      nullable: true,
      description: 'Path for GET with your token, for finance. Null until it is ready.',
      resolve: ({ fileNo, state }) => (state === 'ready' ? `/settlement-files/${fileNo}` : null),
    }),
    account: t.loadable({
      type: EndingType,
      nullable: true,
      description: 'Bank account that pays.',
      load: async (keys: string[], context: ApiContext) => {
        const refs = keys.map(partsOf).map(([merchantId, accountId]) => ({ merchantId, accountId }));
        return loaded(await loadAccountEndings(context.domain, scopeOf(context), refs));
      },
      resolve: ({ merchantId, accountId }) => keyOf(merchantId, accountId),
    }),
    createdBy: t.exposeString('createdBy', { description: 'Id of the operator who created it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of its creation.' }),
  }),
});

const SettlementFileFilter = builder.inputType('SettlementFileFilter', {
  description: 'Filter for bank files. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Any of these platform tenants, such as PLATFORM-TH.' }),
  }),
});

builder.queryField('settlementFiles', (t) =>
  t.connection({
    type: SettlementFileType,
    description: 'Bank files of settlements, the newest first.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: SettlementFileFilter,
        description: 'Filter. Default: all bank files that you may see.',
        validate: { schema: settlementFileFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) =>
      connectionOf(
        await pageSettlementFiles(context.domain, scopeOf(context), filter ?? {}, pageOf('settlement_files', page)),
      ),
  }),
);

addOperationForTwo('createSettlementFile', (t) => ({
  file: t.field({
    type: SettlementFileType,
    nullable: true,
    description: 'The bank file. Null if another operator must approve first.',
    resolve: ({ value }) => value,
  }),
}));
