import {
  loadMerchants,
  loadSetupWarnings,
  type MerchantRecord,
  type MerchantWithWallet,
  pagesOfFeeRules,
  pagesOfMerchantKeys,
  pagesOfRoutes,
  pagesOfServiceKeys,
  pagesOfWalletEntries,
  type WantedMerchant,
} from '@tidegate/domain/lists';
import { builder } from '../builder.ts';
import { childPages } from '../child-pages.ts';
import type { ApiContext } from '../context.ts';
import { CountryEnum, CurrencyEnum } from '../enums.ts';
import { loaded } from '../loaded.ts';
import { scopeOf } from '../paging.ts';
import { reads } from '../selection.ts';
import { WalletEntryType } from '../wallet/wallet-entry-type.ts';
import { WalletType } from '../wallet/wallet-type.ts';
import { FeeRuleType } from './fee-rule-type.ts';
import { MerchantKeyType } from './merchant-key-type.ts';
import { RouteType } from './route-type.ts';
import { ServiceKeyType } from './service-key-type.ts';

export const MerchantStatusEnum = builder.enumType('MerchantStatus', {
  description: 'Whether the requests of a merchant are let in.',
  values: {
    ACTIVE: { value: 'active', description: 'They are.' },
    DISABLED: { value: 'disabled', description: 'They are refused; its open orders go on.' },
  } as const satisfies Record<string, { value: MerchantRecord['status']; description: string }>,
});

/** What the document selects of merchants, and of their wallets where it asks for these too. */
export function wantedMerchant({ selection }: ApiContext): WantedMerchant {
  const wallet = { only: selection.properties('Wallet') };
  return { only: selection.properties('Merchant'), ...(selection.has('Merchant', 'wallet') && { wallet }) };
}

const itsWallet = {
  ...reads('merchantId'),
  resolve: ({ merchantId, wallet }: MerchantWithWallet) => wallet ?? merchantId,
};

/** A merchant, by its number. */
export const MerchantType = builder.loadableNodeRef('Merchant', {
  id: { resolve: ({ merchantId }: MerchantWithWallet) => merchantId },
  load: async (ids: string[], context) =>
    loaded(await loadMerchants(context.domain, scopeOf(context), ids, wantedMerchant(context))),
});

const numberOf = ({ merchantId }: MerchantRecord) => merchantId;

MerchantType.implement({
  description: 'Who collects and sends money by this service, with its settings. Its amounts are in its `currency`.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'The merchant number.' }),
    name: t.exposeString('name', { description: 'What payers see.' }),
    country: t.expose('country', { type: CountryEnum, description: 'The country, for good.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency, for good.' }),
    status: t.expose('status', { type: MerchantStatusEnum, description: 'Whether its requests are let in.' }),
    payinEnabled: t.exposeBoolean('payinEnabled', { description: 'Whether payins are offered to it.' }),
    payoutEnabled: t.exposeBoolean('payoutEnabled', { description: 'Whether payouts are offered to it.' }),
    acceptDeprecatedFields: t.exposeBoolean('acceptDeprecatedFields', {
      description: 'PK: fields that must not be sent are ignored instead of refused.',
    }),
    defaultNotifyUrl: t.exposeString('defaultNotifyUrl', {
      nullable: true,
      description: 'Where payouts and TH payins without an address of their own are told.',
    }),
    notificationsPaused: t.exposeBoolean('notificationsPaused', {
      description: 'Whether its notifications are kept back until they are resumed.',
    }),
    ipAllowList: t.exposeStringList('ipAllowList', {
      nullable: true,
      description: 'Addresses and networks from where its requests may come; null: from everywhere.',
    }),
    requestsPerSecond: t.exposeInt('requestsPerSecond', { description: 'Its rate limit.' }),
    requestBurst: t.exposeInt('requestBurst', { description: 'How many of its requests may come at once.' }),
    payinMin: t.expose('payinMin', { type: 'Decimal', description: 'The smallest payin, in `currency`.' }),
    payinMax: t.expose('payinMax', { type: 'Decimal', description: 'The largest payin, in `currency`.' }),
    payoutMin: t.expose('payoutMin', { type: 'Decimal', description: 'The smallest payout, in `currency`.' }),
    payoutMax: t.expose('payoutMax', { type: 'Decimal', description: 'The largest payout, in `currency`.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      description: 'When its settings, keys, fees or routes changed last.',
    }),
    setupWarnings: t.loadableList({
      type: 'String',
      description: 'What its configuration lacks, so that orders are refused: for example a route without a fee rule.',
      load: async (merchantIds: string[], context) => loadSetupWarnings(context.domain, scopeOf(context), merchantIds),
      resolve: numberOf,
    }),
    wallet: t.field({ type: WalletType, description: 'Its wallet.', ...itsWallet }),
    walletEntries: t.connection({
      type: WalletEntryType,
      description: 'The lines of its wallet, the newest first.',
      resolve: childPages('wallet_entries', pagesOfWalletEntries, numberOf),
    }),
    keys: t.connection({
      type: MerchantKeyType,
      description: 'Its public keys, those that ended too, the newest first.',
      resolve: childPages('merchant_keys', pagesOfMerchantKeys, numberOf),
    }),
    serviceKeys: t.connection({
      type: ServiceKeyType,
      description: "The service's keys for its notifications, those that ended too, the newest first.",
      resolve: childPages('service_keys', pagesOfServiceKeys, numberOf),
    }),
    feeRules: t.connection({
      type: FeeRuleType,
      description: 'What it pays: the rules in force, and those that are to begin.',
      resolve: childPages('fee_rules', pagesOfFeeRules, numberOf),
    }),
    routes: t.connection({
      type: RouteType,
      description: 'The ways that its orders may take, by number.',
      resolve: childPages('routes', pagesOfRoutes, numberOf),
    }),
  }),
});
