import type { Currency } from '../../core/country.ts';
import { Money } from '../../core/money.ts';
import type { BankAccount } from '../set-cycle.ts';

/** One payment of a bank file. `amount` is decimal text above zero. */
export interface BankPayment {
  settlementNo: string;
  amount: string;
  payee: BankAccount;
}

export interface BankFile {
  fileNo: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** `YYYY-MM-DD`: when the bank is to pay. */
  executionDay: string;
  currency: Currency;
  payer: BankAccount;
  payments: readonly BankPayment[];
}

const schema = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/**
 * A credit transfer initiation of ISO 20022, pain.001.001.09: one group of payments, each with the settlement number as its end-to-end
 * identification. The same input gives the same text. Throws without a payment.
 */
export function bankFileOf({ fileNo, createdAt, executionDay, currency, payer, payments }: BankFile): string {
  if (payments.length === 0) throw new Error(`the bank file ${fileNo} has no payment`);
  const sum = payments.reduce((all, { amount }) => all.plus(Money.of(amount, currency)), Money.zero(currency));
  const totals = [leaf('NbOfTxs', String(payments.length)), leaf('CtrlSum', sum.toString())];
  const created = new Date(createdAt).toISOString().replace(/\.\d{3}Z$/, 'Z');
  const header = [
    leaf('MsgId', fileNo),
    leaf('CreDtTm', created),
    ...totals,
    node('InitgPty', [leaf('Nm', payer.holder)]),
  ];
  const group = [
    leaf('PmtInfId', fileNo),
    leaf('PmtMtd', 'TRF'),
    leaf('BtchBookg', 'false'),
    ...totals,
    node('ReqdExctnDt', [leaf('Dt', executionDay)]),
    node('Dbtr', [leaf('Nm', payer.holder)]),
    node('DbtrAcct', [accountOf(payer), leaf('Ccy', currency)]),
    agent('DbtrAgt', payer),
    ...payments.map((payment) => transfer(payment, currency)),
  ];
  const initiation = node('CstmrCdtTrfInitn', [node('GrpHdr', header), node('PmtInf', group)]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${schema}">${initiation}</Document>\n`;
}

function transfer({ settlementNo, amount, payee }: BankPayment, currency: Currency): string {
  const paid = `<InstdAmt Ccy="${currency}">${Money.of(amount, currency).toString()}</InstdAmt>`;
  return node('CdtTrfTxInf', [
    node('PmtId', [leaf('InstrId', settlementNo), leaf('EndToEndId', settlementNo)]),
    node('Amt', [paid]),
    agent('CdtrAgt', payee),
    node('Cdtr', [leaf('Nm', payee.holder)]),
    node('CdtrAcct', [accountOf(payee)]),
    node('RmtInf', [leaf('Ustrd', `Settlement ${settlementNo}`)]),
  ]);
}

/** The account as an IBAN if it is one, else as the bank writes it. */
function accountOf({ number }: BankAccount): string {
  const compact = number.replaceAll(' ', '').toUpperCase();
  return node('Id', [isIban(compact) ? leaf('IBAN', compact) : node('Othr', [leaf('Id', number.replaceAll(' ', ''))])]);
}

/** The bank as a BIC if the code is one, else the code of the country's clearing system, such as an IFSC. */
function agent(name: string, { bank }: BankAccount): string {
  const isBic = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bank) && !isIfsc(bank);
  const code = isBic ? leaf('BICFI', bank) : node('ClrSysMmbId', [...clearingSystem(bank), leaf('MmbId', bank)]);
  return node(name, [node('FinInstnId', [code])]);
}

/** Four letters, a zero, and six characters of the branch (Reserve Bank of India). Eleven characters, as long BICs have. */
const isIfsc = (bank: string): boolean => /^[A-Z]{4}0[A-Z0-9]{6}$/.test(bank);

/** ISO 20022 external code set, clearing system identification. */
function clearingSystem(bank: string): string[] {
  return isIfsc(bank) ? [node('ClrSysId', [leaf('Cd', 'INFSC')])] : [];
}

/** ISO 13616: two letters, two check digits, up to 30 characters, and the remainder 1 by 97. */
function isIban(compact: string): boolean {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  const digits = [...`${compact.slice(4)}${compact.slice(0, 4)}`].map((one) => Number.parseInt(one, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

const node = (name: string, content: readonly string[]): string => `<${name}>${content.join('')}</${name}>`;
const leaf = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => entities[one] ?? one);
}
