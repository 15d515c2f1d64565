import { createHmac } from 'node:crypto';
import type { ChannelAnswer, PayeeProblem, PayeeToCarry } from '@tidegate/domain/channels';
import { toMinorUnits } from '../provider/minor-units.ts';
import { parseStored, readStored, type Stored, storedText } from '../provider/stored.ts';
import { type Account, ask, type Call, type Reply, unanswered } from './api.ts';
import { noAnswer } from './mapping.ts';
import type { KeyPair } from './settings.ts';
import { type WireFundAccount, wireContact, wireFundAccount } from './wire.ts';

/** A payee as RazorpayX needs it, and the way by which the money is sent. */
export interface Payee {
  name: string;
  account: { kind: 'bank_account'; number: string; ifsc: string } | { kind: 'vpa'; address: string };
  mode: 'IMPS' | 'RTGS' | 'UPI';
}

/** 100,000 rupees (one lakh) in paise. */
const lakh = 100_000_00;

/** The payee of an order, or what is missing or cannot be carried. Sources: docs/channels/razorpay.md. */
export function readPayee({ party, amount, currency }: PayeeToCarry): Payee | { problem: PayeeProblem } {
  const refuse = (field: PayeeProblem['field'], reason: string) => ({ problem: { field, reason } });
  const name = (party.name ?? '').trim().replace(/\s+/g, ' ');
  const paise = toMinorUnits(amount);
  if (currency !== 'INR' || paise === null || paise < 100) return refuse('amount', 'must be INR, and at least 1.00');
  const problemOfName = readName(name);
  if (problemOfName !== null) return refuse('name', problemOfName);
  const account = (party.account ?? '').trim();
  if (account.includes('@')) {
    if (!/^[A-Za-z0-9.-]+@[A-Za-z0-9.-]+$/.test(account) || account.length > 100)
      return refuse('account', 'is not a UPI address');
    if (paise >= lakh) return refuse('amount', 'must be below 100000.00 for a UPI address');
    return { name, account: { kind: 'vpa', address: account }, mode: 'UPI' };
  }
  if (!/^[A-Za-z0-9]{5,35}$/.test(account)) return refuse('account', 'must be 5 to 35 letters or digits');
  const ifsc = party.ifsc ?? '';
  if (!/^[A-Z]{4}0[A-Z0-9]{6}$/.test(ifsc)) return refuse('ifsc', 'is missing or not an IFSC');
  return { name, account: { kind: 'bank_account', number: account, ifsc }, mode: paise <= 5 * lakh ? 'IMPS' : 'RTGS' };
}

/** What is wrong with the name of a contact; null: nothing. It names the first character that is not allowed. */
function readName(name: string): string | null {
  const other = /[^A-Za-z0-9 ’\-_/().]/u.exec(name)?.[0];
  if (other !== undefined)
    return `has the character ${described(other)}: the bank takes only Latin letters, digits, spaces and ’ - _ / ( ) .`;
  if (name.length < 3 || name.length > 50) return 'must have 3 to 50 characters for this bank';
  return /[A-Za-z0-9.]$/.test(name) ? null : 'must end with a letter, a digit or a full stop for this bank';
}

/** A character with its code point, because some look alike. */
function described(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return `"${character}" (U+${code})`;
}

export type FoundBeneficiary =
  | { fundAccountId: string }
  | { fundAccountId: null; answer: ChannelAnswer }
  /** Razorpay does not accept the payee. */
  | { fundAccountId: null; refused: string };

/**
 * The fund account of a payee: the stored one, or a new one. Razorpay returns the existing contact and fund account
 * where all details are the same, so making one twice is harmless.
 */
export async function findBeneficiary(
  account: Account,
  keys: KeyPair,
  payee: Payee,
  signal: AbortSignal,
): Promise<FoundBeneficiary> {
  const key = memoryKey(keys, payee);
  const known = await readStored(account.memory, key, fundAccountId);
  if (known.kind !== 'none') return beneficiaryOf(known);
  const contact = { name: payee.name, type: 'customer' };
  const contactReply = await ask(account, keys, post('/contacts', contact), signal);
  if (contactReply.kind !== 'ok') return failureOf(contactReply);
  const contactId = wireContact.safeParse(contactReply.json).data?.id;
  if (contactId === undefined) return { fundAccountId: null, answer: noAnswer('reply is not a contact') };
  const added = await ask(account, keys, post('/fund_accounts', fundAccountOf(contactId, payee)), signal);
  if (added.kind !== 'ok') return failureOf(added);
  const parsed = wireFundAccount.safeParse(added.json);
  if (!parsed.success || parsed.data.contact_id !== contactId || !isOf(parsed.data, payee))
    return { fundAccountId: null, answer: noAnswer('reply is not the fund account that was asked for') };
  return beneficiaryOf(parseStored(await account.memory.remember(key, parsed.data.id), fundAccountId));
}

const fundAccountId = storedText.regex(/^fa_[A-Za-z0-9]{1,40}$/);

function beneficiaryOf(stored: Exclude<Stored<string>, { kind: 'none' }>): FoundBeneficiary {
  if (stored.kind === 'value') return { fundAccountId: stored.value };
  return { fundAccountId: null, answer: noAnswer('the stored fund account is unreadable') };
}

/**
 * The key under which the fund account of a payee is stored. It can be computed only with the secret of the account.
 */
function memoryKey(keys: KeyPair, { name, account }: Payee): string {
  const details =
    account.kind === 'vpa' ? ['vpa', name, account.address] : ['bank', name, account.number, account.ifsc];
  return `beneficiary:${createHmac('sha256', keys.secret).update(JSON.stringify(details)).digest('hex')}`;
}

function post(path: string, body: object): Call {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

function fundAccountOf(contactId: string, { name, account }: Payee): object {
  return account.kind === 'vpa'
    ? { contact_id: contactId, account_type: 'vpa', vpa: { address: account.address } }
    : {
        contact_id: contactId,
        account_type: 'bank_account',
        bank_account: { name, ifsc: account.ifsc, account_number: account.number },
      };
}

function isOf({ bank_account: bank, vpa }: WireFundAccount, { account }: Payee): boolean {
  return account.kind === 'vpa'
    ? vpa?.address === account.address
    : bank?.account_number === account.number && bank.ifsc === account.ifsc;
}

function failureOf(reply: Exclude<Reply, { kind: 'ok' }>): FoundBeneficiary {
  return reply.kind === 'error'
    ? { fundAccountId: null, refused: reply.reason }
    : { fundAccountId: null, answer: unanswered(reply) };
}
