import { type Country, currencyOf, type Settlement } from '@tidegate/domain';
import {
  loadAccountEndings,
  loadSettlementCycles,
  loadSettlementProofs,
  loadSettlements,
  openAccounts,
  type SettlementCycle,
} from '@tidegate/domain/lists';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionOfConfiguration } from '../action/version.ts';
import { CountryEnum, CurrencyEnum } from '../enums/enums.ts';
import { SettlementKindEnum, SettlementStateEnum, WeekdayEnum } from '../enums/settlement-enums.ts';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { BankAccountType, EndingType } from '../operation/bank-account-type.ts';
import { StatementLineType } from '../reconciliation/break-type.ts';

type Currency = (typeof CurrencyEnum)['$inferType'];

/** Each country has a currency of its own. */
const countries = Object.keys(currencyOf) as Country[];

/** The account of a settlement or a cycle: its end for everybody, all of it for those who may see personal data. */
const accountRef = (key: string) => {
  const [merchantId, accountId] = partsOf(key);
  return { merchantId, accountId };
};
const accountKey = ({ merchantId, accountId }: { merchantId: string; accountId: string | null }): string | null =>
  accountId === null ? null : keyOf(merchantId, accountId);

const SettlementSumType = builder.objectRef<Settlement['sums'][number]>('SettlementSum').implement({
  description: 'Sum of one kind of movements of a settlement.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SettlementKindEnum, description: 'Kind of the movements.' }),
    amount: t.expose('amount', { type: 'Decimal', description: 'Signed sum, in the currency of the settlement.' }),
    count: t.exposeInt('count', { description: 'Number of wallet entries.' }),
  }),
});

async function proofsOf(context: ApiContext, keys: readonly string[], which: 'debit' | 'return') {
  const refs = keys.map(partsOf).map(([merchantId, settlementNo]) => ({ merchantId, settlementNo }));
  return loadSettlementProofs(context.domain, scopeOf(context), refs, which);
}

function firstOf<Row>(rows: readonly (readonly Row[])[]): readonly Row[] {
  return loaded(rows.map(([first = null]) => first));
}

/** A settlement, by its merchant and number. */
export const SettlementType = builder.loadableNodeRef('Settlement', {
  id: { resolve: ({ merchantId, settlementNo }: Settlement) => keyOf(merchantId, settlementNo) },
  load: async (keys: string[], context) =>
    loaded(
      await loadSettlements(
        context.domain,
        scopeOf(context),
        keys.map(partsOf).map(([merchantId, settlementNo]) => ({ merchantId, settlementNo })),
      ),
    ),
});

SettlementType.implement({
  description: 'What a merchant is paid to its bank, from closed days. opening + sums = closing.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number.' }),
    settlementNo: t.exposeString('settlementNo', {
      description: 'Settlement number, which the merchant sees in its wallet entries.',
    }),
    state: t.expose('state', { type: SettlementStateEnum, description: 'State.' }),
    draftVersion: t.exposeInt('version', { description: 'Version of the draft, for approveSettlement.' }),
    currency: t.field({
      type: CurrencyEnum,
      description: 'Currency of the amounts.',
      resolve: ({ currency }) => currency as Currency,
    }),
    country: t.field({
      type: CountryEnum,
      description: 'Country of the merchant. The days are in its time zone.',
      resolve: ({ currency }) => countries.find((country) => currencyOf[country] === currency) as Country,
    }),
    runDay: t.exposeString('runDay', { description: 'Day of the run, in the time zone of the country.' }),
    cutOff: t.exposeString('cutOff', { description: 'Last day that it could settle.' }),
    opening: t.expose('opening', {
      type: 'Decimal',
      description: 'Closing of the previous settlement, in `currency`.',
    }),
    sums: t.expose('sums', { type: [SettlementSumType], description: 'Sums of its movements by kind.' }),
    closing: t.expose('closing', { type: 'Decimal', description: 'Opening and all movements, in `currency`.' }),
    pending: t.expose('pending', {
      type: 'Decimal',
      description: 'Credits that it does not settle, because their days are not closed, in `currency`.',
    }),
    keep: t.expose('keep', { type: 'Decimal', description: 'What stays in the wallet, in `currency`.' }),
    held: t.expose('held', {
      type: 'Decimal',
      description:
        'Credits whose money never came, in `currency`. They are not paid until their breaks end as WRITTEN_OFF or CHARGED.',
    }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'Amount to pay, in `currency`. 0.00: it is below the minimum and carried over.',
    }),
    account: t.loadable({
      type: EndingType,
      nullable: true,
      description: 'Bank account to pay. Null: the cycle had none.',
      load: async (keys: string[], context: ApiContext) =>
        loaded(await loadAccountEndings(context.domain, scopeOf(context), keys.map(accountRef))),
      resolve: accountKey,
    }),
    payee: t.loadable({
      type: BankAccountType,
      nullable: true,
      description: 'Bank account to pay. Hidden from viewers. Null: the cycle had none.',
      authScopes: personal,
      load: async (keys: string[], context: ApiContext) =>
        loaded(await openAccounts(context.domain, keys.map(accountRef))),
      resolve: accountKey,
    }),
    reference: t.exposeString('reference', { nullable: true, description: "The bank's reference of the payment." }),
    fileNo: t.exposeString('fileNo', { nullable: true, description: 'Bank file that pays it. Null: none.' }),
    caseNo: t.exposeInt('caseNo', { nullable: true, description: 'Number of the case about its failure.' }),
    actions: t.field(actionsOf((settlement: Settlement) => ({ type: 'settlement', settlement }))),
    draftedAt: t.expose('draftedAt', { type: 'DateTime', description: 'Time of the first draft.' }),
    approvedAt: t.expose('approvedAt', { type: 'DateTime', nullable: true, description: 'Time of the approval.' }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true, description: 'Time at which it was paid.' }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the confirmation.',
    }),
    failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true, description: 'Time of its failure.' }),
  }),
});

builder.objectFields(SettlementType, (t) => ({
  channelId: t.exposeString('channelId', { nullable: true, description: 'Channel that pays it. Null: none.' }),
  paymentNo: t.exposeString('paymentNo', { nullable: true, description: 'Its number at the channel that pays it.' }),
  channelRef: t.exposeString('channelRef', { nullable: true, description: "The channel's own id of the payment." }),
  answer: t.exposeString('answer', { nullable: true, description: 'Last answer of the channel in a few words.' }),
  nextActionAt: t.expose('nextActionAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the next call to the channel. Null: none.',
  }),
  debitLine: t.loadable({
    type: StatementLineType,
    nullable: true,
    description:
      'Statement line that shows its payment, or that of its whole bank file. Of several, the first. Null: none that you may see.',
    load: async (keys: string[], context: ApiContext) => firstOf(await proofsOf(context, keys, 'debit')),
    resolve: ({ merchantId, settlementNo }) => keyOf(merchantId, settlementNo),
  }),
  debitLines: t.loadableList({
    type: StatementLineType,
    description:
      'Statement lines that show its payment together, or that of its whole bank file: several if it was paid in parts.',
    load: (keys: string[], context: ApiContext) => proofsOf(context, keys, 'debit'),
    resolve: ({ merchantId, settlementNo }) => keyOf(merchantId, settlementNo),
  }),
  returnLine: t.loadable({
    type: StatementLineType,
    nullable: true,
    description: 'Statement line that shows that it came back. Of several, the first. Null: none that you may see.',
    load: async (keys: string[], context: ApiContext) => firstOf(await proofsOf(context, keys, 'return')),
    resolve: ({ merchantId, settlementNo }) => keyOf(merchantId, settlementNo),
  }),
  returnLines: t.loadableList({
    type: StatementLineType,
    description: 'Statement lines that show together that it came back: several if it came in parts.',
    load: (keys: string[], context: ApiContext) => proofsOf(context, keys, 'return'),
    resolve: ({ merchantId, settlementNo }) => keyOf(merchantId, settlementNo),
  }),
}));

export const SettlementCycleType = builder.objectRef<SettlementCycle>('SettlementCycle').implement({
  description: "How a merchant is settled. Amounts are in the merchant's currency.",
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number.' }),
    workingDays: t.exposeInt('workingDays', { description: 'Working days after which a day is settled.' }),
    weekdays: t.expose('weekdays', { type: [WeekdayEnum], description: 'Weekdays on which it runs.' }),
    minimum: t.expose('minimum', {
      type: 'Decimal',
      description: "Less than this is carried over, in the merchant's currency.",
    }),
    keep: t.expose('keep', {
      type: 'Decimal',
      description: "Amount that stays in the wallet, in the merchant's currency.",
    }),
    beginsOn: t.exposeString('beginsOn', { description: 'What came before this day is settled first.' }),
    account: t.loadable({
      type: EndingType,
      nullable: true,
      description: 'Bank account. Null: there is none yet, so nothing can be approved.',
      load: async (keys: string[], context: ApiContext) =>
        loaded(await loadAccountEndings(context.domain, scopeOf(context), keys.map(accountRef))),
      resolve: accountKey,
    }),
    payee: t.loadable({
      type: BankAccountType,
      nullable: true,
      description: 'Bank account. Hidden from viewers. Null: there is none yet.',
      authScopes: personal,
      load: async (keys: string[], context: ApiContext) =>
        loaded(await openAccounts(context.domain, keys.map(accountRef))),
      resolve: accountKey,
    }),
    version: t.string(versionOfConfiguration((cycle: SettlementCycle) => ({ type: 'settlement_cycle', cycle }))),
    actions: t.field(actionsOf((cycle: SettlementCycle) => ({ type: 'settlement_cycle', cycle }))),
  }),
});

/** The cycle of one merchant; null: it has none, or the operator may not see it. */
export async function cycleOf(context: ApiContext, merchantId: string): Promise<SettlementCycle | null> {
  const [found] = await loadSettlementCycles(context.domain, scopeOf(context), [merchantId]);
  return found ?? null;
}
