import type { StatementOptions, StatementRow } from '@tidegate/domain/reconciliation';
import type { Hundredths } from '../reading/amounts.ts';
import { BadRow } from '../reading/bad-row.ts';
import { readIsoDay, readIsoTime } from '../reading/dates.ts';
import type { Limits } from '../reading/limits.ts';
import { lineRow, netOf, readCurrency } from '../reading/line.ts';
import { findOrderNo } from '../reading/order-numbers.ts';
import { readReference } from '../reading/references.ts';
import { chargesOf, readCharged } from './charges.ts';
import { camtTypeOf } from './types.ts';
import { nodeAt, textAt, type XmlNode } from './xml.ts';
import { readXmlAmount } from './xml-amount.ts';

export interface EntryContext {
  options: StatementOptions;
  limits: Limits;
}

/**
 * Reads the direction: `CRDT` is money that came in, `DBIT` money that left. An entry that is a reversal also has the
 * direction of its own money.
 */
export function readDirection(node: XmlNode): 'in' | 'out' {
  const word = textAt(node, 'CdtDbtInd');
  if (word !== 'CRDT' && word !== 'DBIT') throw new BadRow('it is neither credit nor debit');
  return word === 'CRDT' ? 'in' : 'out';
}

/**
 * Reads an entry, with its transactions (`TxDtls`), which are no longer among its children. An entry becomes one line.
 * A batch becomes one line for each transaction, if their amounts add up to the amount of the entry.
 */
export function readEntry(lineNo: number, entry: XmlNode, details: XmlNode[], context: EntryContext): StatementRow[] {
  const { options } = context;
  for (const name of ['Sts', 'Amt', 'CdtDbtInd', 'RvslInd'])
    if (entry.children.filter((child) => child.name === name).length > 1) throw new BadRow(`it has ${name} twice`);
  const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts', 'Prtry') || textAt(entry, 'Sts');
  if (status !== '' && status !== 'BOOK') throw new BadRow('the entry is not booked');
  const amount = nodeAt(entry, 'Amt');
  const currency = readCurrency(amount?.currency);
  const common = { lineNo, currency, direction: readDirection(entry), ...readWhen(entry, options) };
  const gross = readXmlAmount(amount?.text ?? '');
  const parts = details.length > 1 ? readParts(details, gross, common) : null;
  if (parts !== null)
    return parts.map(({ detail, ...moved }, i) => {
      const type = typeOf(entry, detail, moved.direction);
      return lineRow({ ...common, ...moved, type, part: i + 1, ...referencesOf(entry, detail, context) });
    });
  const [only] = details.length === 1 ? details : [];
  const type = typeOf(entry, only ?? null, common.direction);
  const charged = only === undefined ? null : readCharged(only, entry, { ...common, net: gross });
  return [lineRow({ ...common, gross, ...charged, type, ...referencesOf(entry, only ?? null, context) })];
}

interface Part {
  detail: XmlNode;
  gross: Hundredths;
  fee: Hundredths;
  direction: 'in' | 'out';
}

/**
 * The transactions of a batch; null if an amount is missing, or they do not add up to the entry. Their charges are in the
 * entry only if they add up with them.
 */
function readParts(
  details: readonly XmlNode[],
  whole: Hundredths,
  { direction, currency }: { direction: 'in' | 'out'; currency: string },
): Part[] | null {
  const parts: Part[] = [];
  let [sum, net] = [0n, 0n];
  for (const detail of details) {
    const amount = nodeAt(detail, 'Amt') ?? nodeAt(detail, 'AmtDtls', 'TxAmt', 'Amt');
    if (amount === null || amount.currency !== currency) return null;
    const gross = readXmlAmount(amount.text);
    const fee = chargesOf(detail, currency) ?? 0n;
    const own = nodeAt(detail, 'CdtDbtInd') === null ? direction : readDirection(detail);
    const part = { detail, gross, fee, direction: own };
    sum += own === direction ? gross : -gross;
    net += own === direction ? netOf(part) : -netOf(part);
    parts.push(part);
  }
  if (sum === whole) return parts.map((part) => ({ ...part, fee: 0n }));
  return net === whole ? parts : null;
}

/** An xs:boolean; empty: it is not there. */
function isTrue(text: string): boolean {
  if (!['', 'true', 'false', '1', '0'].includes(text)) throw new BadRow('it does not say whether it is a reversal');
  return text === 'true' || text === '1';
}

function typeOf(entry: XmlNode, detail: XmlNode | null, direction: 'in' | 'out') {
  const code = (detail && nodeAt(detail, 'BkTxCd', 'Domn')) ?? nodeAt(entry, 'BkTxCd', 'Domn');
  const isReturn = isTrue(textAt(entry, 'RvslInd')) || (detail !== null && nodeAt(detail, 'RtrInf') !== null);
  const known = {
    domain: code ? textAt(code, 'Cd') : '',
    family: code ? textAt(code, 'Fmly', 'Cd') : '',
    subFamily: code ? textAt(code, 'Fmly', 'SubFmlyCd') : '',
  };
  return camtTypeOf(known, direction, isReturn);
}

/** The reference that travels with a payment (`EndToEndId`) is our order number. Some banks have it only in a text. */
function referencesOf(entry: XmlNode, detail: XmlNode | null, { limits }: EntryContext) {
  const read = (node: XmlNode | null, ...path: string[]) =>
    node && readReference(textAt(node, ...path), path.at(-1) ?? '', limits.referenceLength);
  return {
    channelRef: read(detail, 'Refs', 'TxId') ?? read(detail, 'Refs', 'UETR') ?? read(detail, 'Refs', 'InstrId'),
    orderNo: findOrderNo([read(detail, 'Refs', 'EndToEndId')], textsOf(entry, detail)),
    bankRef: read(detail, 'Refs', 'AcctSvcrRef') ?? read(entry, 'AcctSvcrRef') ?? read(entry, 'NtryRef'),
    settlementRef: read(entry, 'NtryDtls', 'Btch', 'PmtInfId') ?? read(detail, 'Refs', 'PmtInfId'),
  };
}

/** What banks and payers wrote: the other references, the purpose, and the bank's own text. */
function textsOf(entry: XmlNode, detail: XmlNode | null): string[] {
  const purposes = (detail && nodeAt(detail, 'RmtInf'))?.children.map(allText) ?? [];
  const references = (detail && nodeAt(detail, 'Refs'))?.children.map(allText) ?? [];
  const added = [textAt(entry, 'AddtlNtryInf'), detail ? textAt(detail, 'AddtlTxInf') : '', textAt(entry, 'NtryRef')];
  return [...references, ...purposes, purposes.join(''), ...added];
}

function allText({ text, children }: XmlNode): string {
  return [text.trim(), ...children.map(allText)].join(' ');
}

/** Some banks write a time into `Dt`. The day is used as written, without a conversion between time zones. */
function readWhen(entry: XmlNode, { timeZone }: StatementOptions) {
  const booked = nodeAt(entry, 'BookgDt') ?? nodeAt(entry, 'ValDt');
  if (booked === null) throw new BadRow('it has no date');
  const text = textAt(booked, 'DtTm') || textAt(booked, 'Dt');
  return { bookedOn: readIsoDay(text), occurredAt: text.includes('T') ? readIsoTime(text, timeZone) : null };
}
