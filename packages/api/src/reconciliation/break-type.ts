import {
  type Break,
  loadBreakOutcomes,
  loadBreaks,
  loadExpectations,
  loadStatementLines,
  loadStatements,
  loadUnparsedRows,
  type StoredExpectation,
  type StoredLine,
  type UnparsedRow,
} from '@tidegate/domain/lists';
import { versionOfBreak } from '@tidegate/domain/operators';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import { actionsOf } from '../action/allowed-action-type.ts';
import { versionDescription } from '../action/version.ts';
import {
  BreakKindEnum,
  BreakOutcomeEnum,
  BreakStateEnum,
  StatementDirectionEnum,
} from '../enums/reconciliation-enums.ts';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { personal } from '../graphql/personal.ts';
import { ChannelStatementType, countryField, currencyField, statementRefOf } from './statement-type.ts';

const reference = { nullable: true, description: 'Null: there is none.' } as const;

export const StatementLineType = builder.objectRef<StoredLine>('StatementLine').implement({
  description: 'One line of a statement, as it was read. It never changes.',
  fields: (t) => ({
    fileNo: t.exposeInt('fileNo', { description: 'Number of the statement.' }),
    lineNo: t.exposeInt('lineNo', { description: 'Row of the file, from 1.' }),
    part: t.exposeInt('part', { description: '0, or its place in a row that has several lines.' }),
    channelId: t.exposeString('channelId', { description: 'Channel of the statement.' }),
    day: t.exposeString('day', { description: "The statement's own day." }),
    type: t.exposeString('type', { description: 'What it is about, such as payin, payout or fee.' }),
    direction: t.expose('direction', { type: StatementDirectionEnum, description: 'Direction of a movement.' }),
    gross: t.expose('gross', { type: 'Decimal', description: 'Amount without fee and tax, in `currency`.' }),
    fee: t.expose('fee', { type: 'Decimal', description: 'Fee of the channel, in `currency`.' }),
    tax: t.expose('tax', { type: 'Decimal', description: 'Tax, in `currency`.' }),
    net: t.expose('net', { type: 'Decimal', description: 'Change of the account, in `currency`.' }),
    currency: t.exposeString('currency', { description: 'Currency of the line, as ISO 4217 code.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', nullable: true, description: 'Time, if it names one.' }),
    channelRef: t.exposeString('channelRef', { ...reference, description: "The channel's reference." }),
    orderNo: t.exposeString('orderNo', { ...reference, description: 'Our order number.' }),
    bankRef: t.exposeString('bankRef', { ...reference, description: 'Reference of the bank.' }),
    settlementRef: t.exposeString('settlementRef', { ...reference, description: 'Reference of the settlement.' }),
    balanceAfter: t.expose('balanceAfter', {
      type: 'Decimal',
      nullable: true,
      description: 'Balance after it, in `currency`.',
    }),
  }),
});

const ExpectationType = builder.objectRef<StoredExpectation>('StatementExpectation').implement({
  description: "What the ledger expects a statement to show: a movement on a channel's account.",
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant whose transfers they are.' }),
    transferNo: t.exposeInt('transferNo', { description: 'Number of the first of its transfers.' }),
    channelId: t.exposeString('channelId', { description: 'Channel.' }),
    day: t.exposeString('day', { description: 'Day in the time zone of the country.' }),
    cause: t.exposeString('cause', { description: 'Why money moved.' }),
    direction: t.expose('direction', { type: StatementDirectionEnum, description: 'Direction of a movement.' }),
    amount: t.expose('amount', { type: 'Decimal', description: "Amount, in the country's currency." }),
    orderNo: t.exposeString('orderNo', { ...reference, description: 'Our order number.' }),
    channelRef: t.exposeString('channelRef', { ...reference, description: "The channel's reference of the payment." }),
    orderRef: t.exposeString('orderRef', { ...reference, description: "The channel's reference of the order." }),
    bankRef: t.exposeString('bankRef', { ...reference, description: 'Reference of a proof of payment.' }),
    postedAt: t.expose('postedAt', { type: 'DateTime', description: 'Time of the transfers.' }),
  }),
});

const UnparsedRowType = builder.objectRef<UnparsedRow>('UnparsedRow').implement({
  description: 'A row of a statement that cannot be read.',
  fields: (t) => ({
    lineNo: t.exposeInt('lineNo', { description: 'Row of the file, from 1.' }),
    reason: t.exposeString('reason', { description: 'Why it cannot be read.' }),
  }),
});

/** A break, by its tenant and number. */
export const BreakType = builder.loadableNodeRef('ReconciliationBreak', {
  id: { resolve: ({ merchantId, breakNo }: Break) => keyOf(merchantId, breakNo) },
  load: async (keys: string[], context) =>
    loaded(await loadBreaks(context.domain, scopeOf(context), keys.map(breakRefOf))),
});

export function breakRefOf(key: string): { merchantId: string; breakNo: number } {
  const [merchantId, breakNo] = partsOf(key);
  return { merchantId, breakNo: readWholeNumber(breakNo, 1, Number.MAX_SAFE_INTEGER) ?? 0 };
}

const numbersOf = (key: string): [string, number, number, number] => {
  const [merchantId = '', ...numbers] = key.split(' ');
  const [a = 0, b = 0, c = 0] = numbers.map(Number);
  return [merchantId, a, b, c];
};

BreakType.implement({
  description: 'A difference between a statement and the ledger. Two operators end it.',
  fields: (t) => ({
    breakNo: t.exposeInt('breakNo', { description: 'Number of the break within its country.' }),
    country: t.field(countryField),
    currency: t.field(currencyField),
    channelId: t.exposeString('channelId', { description: 'Channel.' }),
    day: t.exposeString('day', { description: 'Day on which it is expected, in the time zone of the country.' }),
    kind: t.expose('kind', { type: BreakKindEnum, description: 'How both sides differ.' }),
    state: t.expose('state', { type: BreakStateEnum, description: 'Whether it is open, or how it ended.' }),
    amount: t.expose('amount', {
      type: 'Decimal',
      description: 'Amount of the statement minus that of the ledger, in `currency`.',
    }),
    orderNo: t.exposeString('orderNo', { ...reference, description: 'Our order number.' }),
    statement: t.loadable({
      type: ChannelStatementType,
      nullable: true,
      description: 'The statement that shows it.',
      load: async (keys: string[], context: ApiContext) =>
        loaded(await loadStatements(context.domain, scopeOf(context), keys.map(statementRefOf))),
      resolve: ({ merchantId, fileNo }) => (fileNo === null ? null : keyOf(merchantId, fileNo)),
    }),
    line: t.loadable({
      type: StatementLineType,
      nullable: true,
      description: 'The line of the statement. Null if no statement shows it.',
      load: async (keys: string[], context: ApiContext) => {
        const refs = keys
          .map(numbersOf)
          .map(([merchantId, fileNo, lineNo, part]) => ({ merchantId, fileNo, lineNo, part }));
        return loaded(await loadStatementLines(context.domain, scopeOf(context), refs));
      },
      resolve: ({ merchantId, fileNo, lineNo, part }) =>
        fileNo === null || lineNo === null || part === null ? null : keyOf(merchantId, fileNo, lineNo, part),
    }),
    expectation: t.loadable({
      type: ExpectationType,
      nullable: true,
      description: 'What the ledger expects. Null: nothing.',
      load: async (keys: string[], context: ApiContext) => {
        const refs = keys.map(numbersOf).map(([merchantId, transferNo]) => ({ merchantId, transferNo }));
        return loaded(await loadExpectations(context.domain, scopeOf(context), refs));
      },
      resolve: ({ ownerId, transferNo }) =>
        ownerId === null || transferNo === null ? null : keyOf(ownerId, transferNo),
    }),
    unparsedRow: t.loadable({
      type: UnparsedRowType,
      nullable: true,
      description: 'The row that cannot be read. Null for breaks of other kinds.',
      load: async (keys: string[], context: ApiContext) => {
        const refs = keys.map(numbersOf).map(([merchantId, fileNo, lineNo]) => ({ merchantId, fileNo, lineNo }));
        return loaded(await loadUnparsedRows(context.domain, scopeOf(context), refs));
      },
      resolve: ({ kind, merchantId, fileNo, lineNo }) =>
        kind !== 'unparsed' || fileNo === null || lineNo === null ? null : keyOf(merchantId, fileNo, lineNo),
    }),
    decidedBy: t.exposeString('decidedBy', {
      nullable: true,
      description: 'Id of the operator who requested its decision.',
    }),
    approver: t.exposeString('approver', { nullable: true, description: 'Id of the second operator.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Reason of the decision. Hidden from viewers.',
      authScopes: personal,
    }),
    openedAt: t.expose('openedAt', { type: 'DateTime', description: 'Time at which it was found.' }),
    decidedAt: t.expose('decidedAt', { type: 'DateTime', nullable: true, description: 'Time of the decision.' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true, description: 'Time of its end.' }),
  }),
});

builder.objectFields(BreakType, (t) => ({
  creditedTo: t.exposeString('creditedId', {
    nullable: true,
    description: 'Merchant that was credited this money of the platform. It is the one to charge.',
  }),
  names: t.exposeString('names', {
    nullable: true,
    description: 'Settlement or bank file that its line names. Null: none, or several.',
  }),
  answers: t.exposeInt('answers', {
    nullable: true,
    description:
      'Number of a break that had ended about the same money. Posting this one gives the money back to those who bear it.',
  }),
  version: t.string({ description: versionDescription, resolve: versionOfBreak }),
  actions: t.field(actionsOf((difference: Break) => ({ type: 'break', difference }))),
  outcomes: t.loadableList({
    type: BreakOutcomeEnum,
    description:
      'How it can end now. LINKED takes another break, unless it is a repeated line. What was POSTED as missing money can still be WRITTEN_OFF or CHARGED, as long as a wallet has something of it.',
    load: (keys: string[], context: ApiContext) =>
      loadBreakOutcomes(context.domain, scopeOf(context), keys.map(breakRefOf)),
    resolve: ({ merchantId, breakNo }) => keyOf(merchantId, breakNo),
  }),
}));
