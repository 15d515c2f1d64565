import { timeZoneOf } from '@tidegate/domain';
import {
  loadMerchants,
  loadPayoutStops,
  loadSetupWarnings,
  type MerchantRecord,
  pagesOfFeeRules,
  pagesOfMerchantKeys,
  pagesOfRoutes,
  pagesOfServiceKeys,
  pagesOfWalletEntries,
} from '@tidegate/domain/lists';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionOfConfiguration } from '../action/version.ts';
import { CountryEnum, CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { childPages } from '../graphql/child-pages.ts';
import type { ApiContext } from '../graphql/context.ts';
import { loaded } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { WalletEntryType } from '../wallet/wallet-entry-type.ts';
import { WalletType } from '../wallet/wallet-type.ts';
import { FeeRuleType } from './fee-rule-type.ts';
import { MerchantKeyType } from './merchant-key-type.ts';
import { RouteType } from './route-type.ts';
import { ServiceKeyType } from './service-key-type.ts';

export const MerchantStatusEnum = builder.enumType('MerchantStatus', {
  description: 'Whether a merchant may call the API.',
  values: {
    ACTIVE: { value: 'active', description: 'Requests are accepted.' },
    DISABLED: { value: 'disabled', description: 'Requests are refused. Open orders continue.' },
  } as const satisfies Record<string, { value: MerchantRecord['status']; description: string }>,
});

/** A merchant, by its number. */
export const MerchantType = builder.loadableNodeRef('Merchant', {
  id: { resolve: ({ merchantId }: MerchantRecord) => merchantId },
  load: async (ids: string[], context) => loaded(await loadMerchants(context.domain, scopeOf(context), ids)),
});

const itsTimeZone = {
  description: "Time zone of the merchant's days, as an IANA name such as Asia/Kolkata.",
  resolve: ({ country }: MerchantRecord) => timeZoneOf[country],
};

const numberOf = ({ merchantId }: MerchantRecord) => merchantId;

const itsPayoutStop = {
  type: 'DateTime' as const,
  nullable: true as const,
  description: 'Time when a finding of the audit stopped its payouts. Null: they are not stopped.',
  load: async (merchantIds: string[], context: ApiContext) =>
    loaded(await loadPayoutStops(context.domain, scopeOf(context), merchantIds)),
  resolve: numberOf,
};

MerchantType.implement({
  description: 'A merchant and its settings. Amounts are in its `currency`.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'The merchant number.' }),
    name: t.exposeString('name', { description: 'Name that payers see.' }),
    country: t.expose('country', { type: CountryEnum, description: 'Country. Cannot be changed.' }),
    timeZone: t.string(itsTimeZone),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'Currency. Cannot be changed.' }),
    status: t.expose('status', { type: MerchantStatusEnum, description: 'Whether the merchant may call the API.' }),
    payinEnabled: t.exposeBoolean('payinEnabled', { description: 'Whether payins are enabled.' }),
    payoutEnabled: t.exposeBoolean('payoutEnabled', { description: 'Whether payouts are enabled.' }),
    acceptDeprecatedFields: t.exposeBoolean('acceptDeprecatedFields', {
      description: 'Pakistan: deprecated request fields are ignored instead of refused.',
    }),
    defaultNotifyUrl: t.exposeString('defaultNotifyUrl', {
      nullable: true,
      description: 'Notification URL for orders that send none: payouts, and payins in Thailand.',
    }),
    notificationsPaused: t.exposeBoolean('notificationsPaused', {
      description: 'Whether its notifications are paused.',
    }),
    ipAllowList: t.exposeStringList('ipAllowList', {
      nullable: true,
      description: 'IP addresses and networks that may send requests. Null: any address.',
    }),
    requestsPerSecond: t.exposeInt('requestsPerSecond', { description: 'Allowed requests per second.' }),
    requestBurst: t.exposeInt('requestBurst', { description: 'Number of requests allowed in a burst.' }),
    payinMin: t.expose('payinMin', { type: 'Decimal', description: 'Minimum payin amount, in `currency`.' }),
    payinMax: t.expose('payinMax', { type: 'Decimal', description: 'Maximum payin amount, in `currency`.' }),
    payoutMin: t.expose('payoutMin', { type: 'Decimal', description: 'Minimum payout amount, in `currency`.' }),
    payoutMax: t.expose('payoutMax', { type: 'Decimal', description: 'Maximum payout amount, in `currency`.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of creation.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'Last change of its settings, keys, fees or routes.',
    }),
    version: t.string(versionOfConfiguration((merchant: MerchantRecord) => ({ type: 'merchant', merchant }))),
    actions: t.field(actionsOf((merchant: MerchantRecord) => ({ type: 'merchant', merchant }))),
    setupWarnings: t.loadableList({
      type: 'String',
      description: 'One sentence for each enabled route without a fee rule. Its orders are refused with code 40303.',
      load: async (merchantIds: string[], context) => loadSetupWarnings(context.domain, scopeOf(context), merchantIds),
      resolve: numberOf,
    }),
    payoutsStoppedAt: t.loadable(itsPayoutStop),
    wallet: t.field({ type: WalletType, description: 'Wallet of the merchant.', resolve: numberOf }),
    walletEntries: t.connection({
      type: WalletEntryType,
      description: 'Wallet entries, newest first.',
      resolve: childPages('wallet_entries', pagesOfWalletEntries, numberOf),
    }),
    keys: t.connection({
      type: MerchantKeyType,
      description: 'Public keys of the merchant, newest first. Includes expired keys.',
      resolve: childPages('merchant_keys', pagesOfMerchantKeys, numberOf),
    }),
    serviceKeys: t.connection({
      type: ServiceKeyType,
      description: 'Keys that sign its notifications, newest first. Includes expired keys.',
      resolve: childPages('service_keys', pagesOfServiceKeys, numberOf),
    }),
    feeRules: t.connection({
      type: FeeRuleType,
      description: 'Fee rules in force and scheduled fee rules.',
      resolve: childPages('fee_rules', pagesOfFeeRules, numberOf),
    }),
    routes: t.connection({
      type: RouteType,
      description: 'Routes of the merchant, by number.',
      resolve: childPages('routes', pagesOfRoutes, numberOf),
    }),
  }),
});
