import * as z from 'zod';
import { type Country, platformMerchantOf } from '../../core/country.ts';
import {
  type Break,
  breakKinds,
  closeDay as close,
  confirmStatement as confirm,
  type DayRef,
  type ImportedStatement,
  importStatement as importFile,
  loadSeenBreak,
  outcomes,
  type RequestedFetch,
  reopenDay as reopen,
  requestFetch,
  resolveBreak as resolve,
  type StatementFile,
  setReconciliation as set,
} from '../../reconciliation/index.ts';
import { channelId, choice, count, country, day, feePart, matching, onOff, reference } from '../input-schemas.ts';
import { changedSettings } from '../labels.ts';
import type { About, Operation } from '../operation.ts';
import { always } from '../second-operator-rule.ts';
import { problemOfUploader } from '../sign-in.ts';

const ofCountry = country('Country, whose currency and time zone the days have.');

/** Decisions are recorded for the platform's tenant of the country, which unmatched money belongs to as well. */
const about = ({ country }: { country: Country }): About => ({
  kind: 'tenant',
  merchantId: platformMerchantOf(country),
  absent: 'break_not_found',
});

const importInput = z.strictObject({
  country: ofCountry,
  channelId: channelId('Channel whose statement it is.'),
  fileNo: count('Number that the upload answered with.'),
  format: matching(
    'Format of the file, such as camt.053 or alipay-bill.',
    /^[a-z0-9.:-]{2,64}$/,
    'the name of a format',
  ),
});

export const importStatement: Operation<typeof importInput, ImportedStatement> = {
  summary: 'Import an uploaded statement. A file that was imported before is answered with the first one.',
  roles: ['finance'],
  input: importInput,
  about,
  subject: ({ fileNo }) => `statement ${fileNo}`,
  channelField: 'channelId',
  execute: ({ domain, by }, { fileNo, ...file }) => importFile(domain, { ...file, fileNo: Number(fileNo) }, by),
};

const confirmInput = z.strictObject({
  country: ofCountry,
  fileNo: count('Number of the statement.'),
  sha256: matching(
    'SHA-256 of the file that you compared with the one of the bank, in hexadecimal digits.',
    /^[0-9a-f]{64}$/,
    '64 hexadecimal digits',
  ),
});

export const confirmStatement: Operation<typeof confirmInput, StatementFile> = {
  summary:
    'Confirm that a statement which other operators uploaded and had imported is the one of the bank. Only then its lines prove settlements.',
  roles: ['finance'],
  input: confirmInput,
  about,
  subject: ({ fileNo }) => `statement ${fileNo}`,
  // The upload and this are the two decisions.
  needsApprovalSignIn: true,
  execute: async ({ domain, by }, { country, ...named }) => {
    const file = { ...named, country, fileNo: Number(named.fileNo) };
    const uploader = { tenant: platformMerchantOf(country), fileNo: file.fileNo };
    return (await problemOfUploader(domain, uploader)) ?? confirm(domain, file, by);
  },
};

const fetchInput = z.strictObject({
  country: ofCountry,
  channelId: channelId('Channel to fetch from.'),
  day: day('Day in the time zone of the country, such as 2026-11-21.'),
  format: matching(
    'Format of the statement. Default: all that the channel offers.',
    /^[a-z0-9.:-]{2,64}$/,
    'the name of a format',
  ).optional(),
});

export const fetchStatement: Operation<typeof fetchInput, RequestedFetch> = {
  summary: 'Let the worker fetch the statement of a day now. The same content again changes nothing.',
  roles: ['finance'],
  input: fetchInput,
  about,
  subject: ({ channelId, day }) => `statement ${channelId} ${day}`,
  channelField: 'channelId',
  execute: ({ domain, by }, { format, ...day }) => requestFetch(domain, { ...day, format: format ?? null }, by),
};

const resolveInput = z.strictObject({
  country: ofCountry,
  breakNo: count('Number of the break.'),
  outcome: choice(
    'LINKED: another break explains it, or it is a repeated line. POSTED: the ledger takes over what the statement says. WRITTEN_OFF: the platform bears the difference, which is booked as a write-off. CHARGED: the merchant bears money that its wallet was credited and that never came.',
    outcomes,
  ),
  otherBreakNo: count('For LINKED: the break whose amount cancels it out. Not for a repeated line.').optional(),
  seenKind: choice('Kind of the break that you saw. Default: its present kind.', breakKinds).optional(),
  seenAmount: matching(
    'Amount that you saw, such as -5.00. Default: its present amount.',
    /^-?(0|[1-9][0-9]{0,15})\.[0-9]{2}$/,
    'an amount with two decimals',
  ).optional(),
  seenTransfer: matching(
    'Merchant and number of the expected transfer that you saw, such as M-1 17, or none. Default: its present transfer.',
    /^(none|[A-Z0-9-]{3,32} [1-9][0-9]{0,14})$/,
    'a merchant and the number of a transfer, or none',
  ).optional(),
});

export const resolveBreak: Operation<typeof resolveInput, Break> = {
  summary: 'End a break by a link, a posting, a write-off or a charge. Needs a second operator.',
  title: ({ outcome, otherBreakNo }) => {
    if (outcome === 'linked') return otherBreakNo === undefined ? 'Link as repeated' : `Link to break ${otherBreakNo}`;
    return { posted: 'Post the difference', written_off: 'Write off', charged: 'Charge the merchant' }[outcome];
  },
  roles: ['finance'],
  input: resolveInput,
  about,
  subject: ({ breakNo }) => `break ${breakNo}`,
  alsoSubjects: ({ otherBreakNo }) => (otherBreakNo === undefined ? [] : [`break ${otherBreakNo}`]),
  versioned: 'break',
  needsSecond: always,
  // The second operator approves this difference. If a later file changes it, the approval is refused.
  pin: async (input, _, domain) => {
    const ref = { merchantId: platformMerchantOf(input.country), breakNo: Number(input.breakNo) };
    const seen = await loadSeenBreak(domain, ref);
    return { ...(seen && { seenKind: seen.kind, seenAmount: seen.amount, seenTransfer: seen.transfer }), ...input };
  },
  execute: ({ domain, by }, { country, breakNo, outcome, otherBreakNo, seenKind, seenAmount, seenTransfer }) => {
    const other = otherBreakNo === undefined ? null : Number(otherBreakNo);
    const ref = { merchantId: platformMerchantOf(country), breakNo: Number(breakNo) };
    const seen = { kind: seenKind ?? null, amount: seenAmount ?? null, transfer: seenTransfer ?? null };
    const resolution = { ...ref, outcome, otherBreakNo: other, seen };
    return resolve(domain, resolution, by);
  },
};

const dayInput = z.strictObject({
  country: ofCountry,
  channelId: channelId('Channel of the day.'),
  day: day('Day in the time zone of the country, such as 2026-11-21.'),
});

export const closeDay: Operation<typeof dayInput, DayRef> = {
  summary: 'Close a day of a channel that has no unexplained difference. Needs a second operator.',
  title: () => 'Close the day',
  roles: ['finance'],
  input: dayInput,
  about,
  subject: ({ channelId, day }) => `day ${channelId} ${day}`,
  needsSecond: always,
  channelField: 'channelId',
  execute: ({ domain, by }, ref) => close(domain, ref, by),
};

export const reopenDay: Operation<typeof dayInput, DayRef> = {
  summary: 'Reopen a closed day of a channel, so that it can be matched and posted again.',
  roles: ['finance'],
  input: dayInput,
  about,
  subject: ({ channelId, day }) => `day ${channelId} ${day}`,
  channelField: 'channelId',
  execute: ({ domain, by }, ref) => reopen(domain, ref, by),
};

const setInput = z.strictObject({
  country: ofCountry,
  channelId: channelId('Channel to reconcile.'),
  beginsOn: day('First day that is reconciled. Default: stays, or today.').optional(),
  tolerance: feePart('How far a line and the ledger may differ. Default: 0.00.').optional(),
  fetches: onOff('Whether its statements are fetched by schedule. Default: stays, or no.').optional(),
  account: reference('Account that every statement must name. Default: that of the first one.').optional(),
});

export const setReconciliation: Operation<
  typeof setInput,
  { channelId: string; beginsOn: string; tolerance: string; account: string | null; fetches: boolean }
> = {
  summary:
    'Set from which day a channel is reconciled, its tolerance, its account, and whether statements are fetched. Needs a second operator.',
  title: (input) => changedSettings(input),
  roles: ['finance'],
  input: setInput,
  about,
  subject: ({ channelId }) => channelId,
  versioned: 'reconciliation',
  creates: true,
  needsSecond: always,
  channelField: 'channelId',
  execute: ({ domain, by }, input) => set(domain, input, by),
};
