import { boundedText, lineText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import { endingOf } from '../../core/account-number.ts';
import { platformMerchantOf } from '../../core/country.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { settlementStates } from '../../core/settlement.ts';
import {
  approveSettlement as approve,
  confirmSettlement as confirm,
  createSettlementFile as createFile,
  cycleSubject,
  draftSettlements as draft,
  failSettlement as fail,
  findSettlement,
  paySettlement as pay,
  removeSettlementCycle as remove,
  type SettlementFile,
  type SettlementRun,
  sendSettlement as send,
  setSettlementCycle as set,
  weekdays,
} from '../../settlement/index.ts';
import {
  amount,
  channelId as channelIdOf,
  choice,
  choices,
  count,
  country,
  day,
  feePart,
  matching,
  merchantId,
  reference,
  secrets,
  text,
} from '../input-schemas.ts';
import { type Operation, onMerchant } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

/**
 * The parts of a bank account. The maximum lengths are those of banks (ISO 20022 pain.001.001.09: Max140Text,
 * Max34Text).
 */
const account = z.strictObject({
  holder: lineText(140, 'must be a name of 1 to 140 characters'),
  number: boundedText(34).regex(/^[A-Za-z0-9][A-Za-z0-9 -]{3,33}$/),
  bank: boundedText(35).regex(/^[A-Za-z0-9]{2,35}$/),
});

export const setSettlementCycle = onMerchant({
  summary: 'Set when and to which bank account a merchant is settled. Needs a second operator.',
  title: ({ account }) =>
    account === undefined ? 'Change the settlement cycle' : 'Set the bank account of settlements',
  roles: ['finance'],
  input: z
    .strictObject({
      merchantId: merchantId(),
      workingDays: count('Working days after which a day is settled. Default: stays, or 1.', [1, 30]).optional(),
      weekdays: choices('Weekdays on which it runs. Default: stays, or Monday to Friday.', weekdays).optional(),
      minimum: feePart('Less than this is carried over. Default: stays, or 0.00.').optional(),
      keep: feePart('Amount that stays in the wallet. Default: stays, or 0.00.').optional(),
      beginsOn: day('What came before this day is settled first. Default: stays, or today.').optional(),
      account: secrets('Bank account, as holder, number and bank. Default: stays.').optional(),
      ending: matching(
        'Last four characters of the account number, for the second operator. Default: those of the account.',
        /^[A-Za-z0-9-]{1,4}$/,
        'the last four characters of the account number',
      ).optional(),
    })
    .refine(({ account: given }) => given === undefined || account.safeParse(given).success, {
      path: ['account'],
      message: 'must have holder, number and bank, as a bank writes them',
    })
    .refine(({ account, ending }) => ending === undefined || endingOf(account?.number ?? '') === ending, {
      path: ['ending'],
      message: 'must be the end of the account number',
    }),
  subject: () => cycleSubject,
  versioned: 'settlement cycle',
  creates: true,
  needsSecond: always,
  pin: (input) => (input.account ? { ...input, ending: endingOf(input.account.number ?? '') } : input),
  execute: ({ domain, by }, { account: given, ending: _, ...input }) => {
    const known = given === undefined ? undefined : account.parse(given);
    return set(domain, { ...omitUndefined(input), account: known }, by);
  },
});

export const removeSettlementCycle = onMerchant({
  summary: 'End the settlements of a merchant. Those that are approved go on.',
  roles: ['finance'],
  input: z.strictObject({ merchantId: merchantId() }),
  subject: () => cycleSubject,
  versioned: 'settlement cycle',
  execute: ({ domain, by }, input) => remove(domain, input, by),
});

const draftInput = z.strictObject({
  country: country('Country whose merchants are settled.'),
  day: day('Day of the run, such as 2026-11-23. Default: today in the country.').optional(),
  after: merchantId('Go on after this merchant. Default: from the first.').optional(),
});

export const draftSettlements: Operation<typeof draftInput, SettlementRun> = {
  summary: 'Compute the settlements that are due on a day. Drafts move no money, and can be computed again.',
  roles: ['finance'],
  input: draftInput,
  about: ({ country }) => ({
    kind: 'tenant',
    merchantId: platformMerchantOf(country),
    absent: 'break_not_found',
  }),
  subject: ({ day }) => `settlements ${day ?? 'today'}`,
  execute: ({ domain, by }, input) => draft(domain, input, by),
};

const fileInput = z
  .strictObject({
    country: country('Country whose approved settlements are paid.'),
    executionDay: day('Day on which the bank is to pay. Default: today in the country.').optional(),
    account: secrets(
      'Bank account that pays, as holder, number and bank. Default: the account of the previous file.',
    ).optional(),
  })
  .refine(({ account: given }) => given === undefined || account.safeParse(given).success, {
    path: ['account'],
    message: 'must have holder, number and bank, as a bank writes them',
  });

export const createSettlementFile: Operation<typeof fileInput, SettlementFile> = {
  summary:
    'Put the approved settlements of a country into a bank file. With another account it needs a second operator.',
  title: () => 'Create a bank file from another account',
  roles: ['finance'],
  input: fileInput,
  about: ({ country }) => ({
    kind: 'tenant',
    merchantId: platformMerchantOf(country),
    absent: 'break_not_found',
  }),
  subject: ({ country }) => `bank file of ${country}`,
  needsSecond: ({ account }) => account !== undefined,
  execute: ({ domain, by }, { account: given, ...input }) => {
    const known = given === undefined ? undefined : account.parse(given);
    return createFile(domain, { ...omitUndefined(input), country: input.country, account: known }, by);
  },
};

const named = {
  merchantId: merchantId(),
  settlementNo: matching('Settlement number.', /^ST[0-9A-Z]{4,33}$/, 'a settlement number, which begins with ST'),
};
const subject = ({ settlementNo }: { settlementNo: string }): string => settlementNo;

export const approveSettlement = onMerchant({
  summary: 'Approve a drafted settlement: its amount leaves the wallet and has to be paid. Needs a second operator.',
  title: () => 'Approve the settlement',
  roles: ['finance'],
  input: z.strictObject({
    ...named,
    seenVersion: count('Version of the draft that you saw. Default: the current version.').optional(),
    seenAmount: amount('Amount that you saw. Default: the current amount.').optional(),
  }),
  subject,
  needsSecond: always,
  // The second operator approves this amount. If a later run changes it, the approval is refused.
  pin: async (input, _, domain) => {
    const found = await findSettlement(domain, input);
    return { ...(found && { seenVersion: found.version, seenAmount: found.amount }), ...input };
  },
  execute: ({ domain, by }, { seenVersion, seenAmount, ...ref }) =>
    approve(domain, ref, { version: seenVersion, amount: seenAmount }, by),
});

const bankReference = reference('Reference of the transfer at the bank.');

export const paySettlement = onMerchant({
  summary: 'Claim an approved settlement before you transfer it. It works once, so the money is sent once.',
  roles: ['finance'],
  input: z.strictObject({ ...named, reference: bankReference }),
  subject,
  execute: ({ domain, by }, { reference, ...ref }) => pay(domain, ref, reference, by),
});

export const sendSettlement = onMerchant({
  summary: 'Pay an approved settlement through a channel that takes payouts of its merchant. It works once.',
  roles: ['finance'],
  input: z.strictObject({
    ...named,
    channelId: channelIdOf('Channel that pays it. Default: the first of the merchant’s routes.').optional(),
  }),
  subject,
  channelField: 'channelId',
  execute: ({ domain, by }, { channelId, ...ref }) => send(domain, ref, { channelId }, by),
});

export const confirmSettlement = onMerchant({
  summary: 'Record that the bank shows the payment of a settlement. Needs a second operator.',
  title: () => 'Mark the settlement paid',
  roles: ['finance'],
  input: z.strictObject({ ...named, reference: bankReference }),
  subject,
  needsSecond: always,
  execute: ({ domain, by }, { reference, ...ref }) => confirm(domain, ref, reference, by),
});

export const failSettlement = onMerchant({
  summary: 'Bring the amount of a settlement back to the wallet, with a case. Needs a second operator.',
  title: () => 'Mark the settlement failed',
  roles: ['finance'],
  input: z.strictObject({
    ...named,
    detail: text('Why it was not paid.'),
    evidence: text(
      'What the bank says or shows: that it has not paid it, or that it came back. Needed once its bank file was downloaded.',
    ).optional(),
    seenState: choice('State that you saw. Default: the current state.', settlementStates).optional(),
  }),
  subject,
  needsSecond: always,
  // If the settlement is paid after the request, the approval of its failure would give the money away twice.
  pin: async (input, _, domain) => {
    const found = await findSettlement(domain, input);
    return { ...(found && { seenState: found.state }), ...input };
  },
  execute: ({ domain, by }, { detail, evidence, seenState: seen, ...ref }) =>
    fail(domain, ref, { detail, evidence, seen }, by),
});
