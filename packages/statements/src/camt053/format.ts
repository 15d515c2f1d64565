import { type StatementFormat, type StatementRow, StatementUnreadable } from '@tidegate/domain/reconciliation';
import { rowsOrUnparsed } from '../reading/bad-row.ts';
import { boundedBytes } from '../reading/bytes.ts';
import type { Limits } from '../reading/limits.ts';
import { type EntryContext, readEntry } from './read-entry.ts';
import { emptyStatement, readPart, summaryOf } from './read-statement.ts';
import { textOfXml, type XmlEvent, type XmlNode, xmlEvents } from './xml.ts';

/** ISO 20022 bank to customer statement, versions 02 and later. A file may have several statements. */
export function camt053(limits: Limits): StatementFormat {
  return {
    name: 'camt.053',
    version: 6,
    recognises: (start) => /camt\.053\.001\./.test(textOfXml(start)),
    async *read(bytes, options) {
      const reader = new Reader({ options, limits });
      for await (const events of xmlEvents(boundedBytes(bytes, limits.bytes), limits))
        for (const event of events) for (const row of reader.take(event)) yield row;
      reader.end();
    },
  };
}

const namespace = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(?:0[2-9]|[1-9]\d)$/;
const outer = ['Document', 'BkToCstmrStmt', 'Stmt'];
/** What other messages of banks are, by the element in their document. */
const otherMessages: Readonly<Record<string, string>> = {
  BkToCstmrAcctRpt: 'camt.052, a report within the day',
  BkToCstmrDbtCdtNtfctn: 'camt.054, a notification',
  CstmrPmtStsRpt: 'pain.002, the status of payments',
};
const deepest = 40;
/** The maximum number of characters of all transactions of one entry. */
const maxDetails = 16 * 1024 * 1024;
/** The elements of a transaction that are used. Names and addresses of people are not among them. */
const used = new Set(['Refs', 'Amt', 'AmtDtls', 'CdtDbtInd', 'Chrgs', 'BkTxCd', 'RtrInf', 'RmtInf', 'AddtlTxInf']);

function pruneDetail(node: XmlNode): XmlNode {
  return { ...node, text: '', children: node.children.filter(({ name }) => used.has(name)) };
}

function lengthOf({ name, text, children }: XmlNode): number {
  return children.reduce((sum, child) => sum + lengthOf(child), name.length + text.length);
}

/** Builds one element of a statement at a time, and frees its memory once it was read. */
class Reader {
  readonly #context: EntryContext;
  readonly #stack: XmlNode[] = [];
  /** How many elements are open around the document, for example `BizMsgEnvlp` and those of its header. */
  #around = 0;
  /** The transactions of the current entry. */
  #details: XmlNode[] = [];
  /** The number of characters of these transactions. */
  #detailsHeld = 0;
  #summary = emptyStatement;
  #statements = 0;
  #entries = 0;
  /** The number of characters of the entry in memory, and the number when its current transaction began. */
  #held = 0;
  #heldBefore = 0;

  constructor(context: EntryContext) {
    this.#context = context;
  }

  take(event: XmlEvent): StatementRow[] {
    if (event.kind === 'open') return this.#open(event);
    if (event.kind === 'close') {
      if (this.#stack.length > 0) return this.#close();
      this.#around -= 1;
      return [];
    }
    const node = this.#stack.at(-1);
    if (node === undefined || this.#stack.length <= outer.length) return [];
    node.text += event.text;
    this.#hold(event.text.length);
    return [];
  }

  end(): void {
    if (this.#statements === 0) throw new StatementUnreadable('other_format', 'the file has no statement');
  }

  #open({ name, currency, namespace: found }: XmlEvent & { kind: 'open' }): StatementRow[] {
    const depth = this.#stack.length;
    if (depth === 0 && name !== 'Document') {
      this.#around += 1;
      if (this.#around > deepest) throw new StatementUnreadable('damaged', 'elements are too deep in each other');
      return [];
    }
    // Some banks leave the namespace out, or declare it on the envelope.
    if (depth === 0 && found !== null && !namespace.test(found))
      throw new StatementUnreadable('other_format', 'this is not camt.053 of version 02 or later');
    if (depth === 1 && name !== 'BkToCstmrStmt')
      throw new StatementUnreadable(
        'other_format',
        `this is ${otherMessages[name] ?? 'another message'}, not camt.053`,
      );
    if (depth > deepest) throw new StatementUnreadable('damaged', 'elements are too deep in each other');
    if (depth === 2) this.#summary = emptyStatement;
    if (name === 'TxDtls') this.#heldBefore = this.#held;
    this.#stack.push({ name, currency, text: '', children: [] });
    if (depth >= outer.length) this.#hold(name.length);
    return [];
  }

  #close(): StatementRow[] {
    const node = this.#stack.pop();
    const depth = this.#stack.length;
    const parent = this.#stack.at(-1);
    if (node === undefined || parent === undefined || depth < 2) return [];
    if (depth === 2) return node.name === 'Stmt' ? this.#endStatement() : [];
    if (this.#stack[2]?.name !== 'Stmt') {
      this.#held = 0;
      return [];
    }
    if (depth === 3) return this.#endPart(node);
    if (node.name === 'TxDtls' && this.#stack[3]?.name === 'Ntry') this.#keepDetail(node);
    else parent.children.push(node);
    return [];
  }

  #keepDetail(node: XmlNode): void {
    const { parts } = this.#context.limits;
    const detail = pruneDetail(node);
    this.#details.push(detail);
    this.#detailsHeld += lengthOf(detail);
    this.#held = this.#heldBefore;
    if (this.#details.length > parts || this.#detailsHeld > maxDetails)
      throw new StatementUnreadable('too_large', `an entry of more than ${parts} transactions`, this.#entries + 1);
  }

  #endPart(node: XmlNode): StatementRow[] {
    this.#held = 0;
    if (node.name !== 'Ntry') {
      this.#summary = readPart(this.#summary, node);
      return [];
    }
    const details = this.#details;
    this.#details = [];
    this.#detailsHeld = 0;
    this.#entries += 1;
    const { rows } = this.#context.limits;
    if (this.#entries > rows) throw new StatementUnreadable('too_large', `more than ${rows} rows`);
    return rowsOrUnparsed(this.#entries, () => readEntry(this.#entries, node, details, this.#context));
  }

  #endStatement(): StatementRow[] {
    this.#statements += 1;
    return [{ kind: 'summary', summary: summaryOf(this.#summary) }];
  }

  #hold(length: number): void {
    this.#held += length;
    const { rowLength } = this.#context.limits;
    if (this.#held > rowLength)
      throw new StatementUnreadable('too_large', `longer than ${rowLength} characters`, this.#entries + 1);
  }
}
