import type { Hundredths } from '../reading/amounts.ts';
import { nodeAt, textAt, type XmlNode } from './xml.ts';
import { readXmlAmount } from './xml-amount.ts';

/** What a payment was for, and what the bank charged for it. */
export interface Charged {
  gross: Hundredths;
  fee: Hundredths;
}

interface Moved {
  /** What the account shows. */
  net: Hundredths;
  direction: 'in' | 'out';
  currency: string;
}

/**
 * The amount of a payment whose entry has charges in it, for example 1,500 less 26. Null, unless amount and charges come to what
 * the account shows.
 */
export function readCharged(detail: XmlNode, entry: XmlNode, { net, direction, currency }: Moved): Charged | null {
  const fee = chargesOf(detail, currency) ?? chargesOf(entry, currency) ?? 0n;
  if (fee <= 0n) return null;
  const gross = direction === 'in' ? net + fee : net - fee;
  return statedAmounts(detail, currency).includes(gross) ? { gross, fee } : null;
}

/** The amounts that a transaction states: its own, that of the transaction, and that of the instruction. */
function statedAmounts(detail: XmlNode, currency: string): Hundredths[] {
  const found = [
    nodeAt(detail, 'Amt'),
    nodeAt(detail, 'AmtDtls', 'TxAmt', 'Amt'),
    nodeAt(detail, 'AmtDtls', 'InstdAmt', 'Amt'),
  ];
  return found.flatMap((node) => (node?.currency === currency ? [readXmlAmount(node.text)] : []));
}

/** The sum of the charges of a transaction or an entry; null if it has none, or not only charges in this currency. */
export function chargesOf({ children }: XmlNode, currency: string): Hundredths | null {
  // Version 02 has an element for each charge. Later versions have one, with a record for each.
  const amounts = children.filter(({ name }) => name === 'Chrgs').flatMap(amountsOf);
  if (amounts.length === 0 || amounts.some((amount) => amount === null || amount.currency !== currency)) return null;
  return amounts.reduce((sum, amount) => sum + readXmlAmount(amount?.text ?? ''), 0n);
}

/** Null stands for a charge that was given back. */
function amountsOf(charges: XmlNode): (XmlNode | null)[] {
  const records = charges.children.filter(({ name }) => name === 'Rcrd');
  const each = (nodeAt(charges, 'Amt') ? [charges] : records).map((charge) =>
    textAt(charge, 'CdtDbtInd') === 'CRDT' ? null : nodeAt(charge, 'Amt'),
  );
  const total = nodeAt(charges, 'TtlChrgsAndTaxAmt');
  return each.length > 0 || total === null ? each : [total];
}
