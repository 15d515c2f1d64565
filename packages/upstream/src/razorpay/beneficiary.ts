import { createHmac } from 'node:crypto';
import type { ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { toMinorUnits } from '../minor-units.ts';
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
export function readPayee({ party, amount, currency }: ChannelOrder): Payee | { problem: string } {
  const name = (party.name ?? '').trim().replace(/\s+/g, ' ');
  const paise = toMinorUnits(amount);
  if (currency !== 'INR' || paise === null || paise < 100) return { problem: 'only INR, at least 1.00, is carried' };
  if (!/^[A-Za-z0-9 ’\-_/().]{3,50}$/.test(name) || !/[A-Za-z0-9.]$/.test(name))
    return {
      problem:
        'the payee’s name must be 3 to 50 Latin letters, digits, spaces or ’ - _ / ( ) . and end with a letter, a digit or .',
    };
  const account = (party.account ?? '').trim();
  if (account.includes('@')) {
    if (!/^[A-Za-z0-9.-]+@[A-Za-z0-9.-]+$/.test(account) || account.length > 100)
      return { problem: 'the UPI address is malformed' };
    if (paise >= lakh) return { problem: 'a UPI payout must be below 100000.00' };
    return { name, account: { kind: 'vpa', address: account }, mode: 'UPI' };
  }
  if (!/^[A-Za-z0-9]{5,35}$/.test(account)) return { problem: 'the account number must be 5 to 35 letters or digits' };
  const ifsc = party.ifsc ?? '';
  if (!/^[A-Z]{4}0[A-Z0-9]{6}$/.test(ifsc)) return { problem: 'the IFSC is missing or malformed' };
  return { name, account: { kind: 'bank_account', number: account, ifsc }, mode: paise <= 5 * lakh ? 'IMPS' : 'RTGS' };
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
  const known = await account.memory.read(key);
  if (known !== null) return { fundAccountId: known };
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
  return { fundAccountId: await account.memory.remember(key, parsed.data.id) };
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
