import { expect, test } from 'vitest';
import { type BankFile, bankFileOf } from './decide-bank-file.ts';

// The order and the forms of the elements are those of the schema of pain.001.001.09, as far as the file has them. The schema is published at
// https://www.iso20022.org (Payments Initiation); the European subset of it is at https://www.europeanpaymentscouncil.eu (EPC132-08).

const file: BankFile = {
  fileNo: 'SFTH000001',
  createdAt: Date.parse('2026-11-23T05:06:07.890Z'),
  executionDay: '2026-11-24',
  currency: 'THB',
  payer: { holder: 'Tidegate Ltd', number: 'TH00 1234 5678 9012', bank: 'BKKBTHBK' },
  payments: [
    {
      settlementNo: 'STTEST000001',
      amount: '97.50',
      payee: { holder: `Lotus & Sons <"O'Hara">`, number: '123-4-56789-0', bank: 'KASITHBK' },
    },
    {
      settlementNo: 'STTEST000002',
      amount: '1000.00',
      payee: { holder: 'บัว', number: 'GB33 BUKB 2020 1555 5555 55', bank: 'HDFC0001234' },
    },
  ],
};

/** Elements of the schema in their order; an optional one ends with `?`, a repeated one with `*`. */
const sequences: Record<string, string[]> = {
  Document: ['CstmrCdtTrfInitn'],
  CstmrCdtTrfInitn: ['GrpHdr', 'PmtInf*', 'SplmtryData?'],
  GrpHdr: ['MsgId', 'CreDtTm', 'Authstn?', 'NbOfTxs', 'CtrlSum?', 'InitgPty', 'FwdgAgt?', 'InitnSrc?'],
  PmtInf: [
    'PmtInfId',
    'PmtMtd',
    'ReqdAdvcTp?',
    'BtchBookg?',
    'NbOfTxs?',
    'CtrlSum?',
    'PmtTpInf?',
    'ReqdExctnDt',
    'PoolgAdjstmntDt?',
    'Dbtr',
    'DbtrAcct',
    'DbtrAgt',
    'DbtrAgtAcct?',
    'InstrForDbtrAgt?',
    'UltmtDbtr?',
    'ChrgBr?',
    'ChrgsAcct?',
    'ChrgsAcctAgt?',
    'CdtTrfTxInf*',
  ],
  CdtTrfTxInf: [
    'PmtId',
    'PmtTpInf?',
    'Amt',
    'XchgRateInf?',
    'ChrgBr?',
    'ChqInstr?',
    'UltmtDbtr?',
    'IntrmyAgt1?',
    'CdtrAgt?',
    'CdtrAgtAcct?',
    'Cdtr?',
    'CdtrAcct?',
    'UltmtCdtr?',
    'InstrForCdtrAgt?',
    'Purp?',
    'RgltryRptg?',
    'Tax?',
    'RmtInf?',
  ],
  PmtId: ['InstrId?', 'EndToEndId', 'UETR?'],
  Amt: ['InstdAmt'],
  InitgPty: ['Nm?'],
  Dbtr: ['Nm?'],
  Cdtr: ['Nm?'],
  DbtrAcct: ['Id', 'Tp?', 'Ccy?'],
  CdtrAcct: ['Id', 'Tp?', 'Ccy?'],
  Id: ['IBAN?', 'Othr?'],
  Othr: ['Id'],
  DbtrAgt: ['FinInstnId'],
  CdtrAgt: ['FinInstnId'],
  FinInstnId: ['BICFI?', 'ClrSysMmbId?'],
  ClrSysMmbId: ['ClrSysId?', 'MmbId'],
  ClrSysId: ['Cd'],
  ReqdExctnDt: ['Dt'],
  RmtInf: ['Ustrd*'],
};

const forms: Record<string, RegExp> = {
  MsgId: /^.{1,35}$/u,
  PmtInfId: /^.{1,35}$/u,
  InstrId: /^.{1,35}$/u,
  EndToEndId: /^.{1,35}$/u,
  CreDtTm: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  Dt: /^\d{4}-\d{2}-\d{2}$/,
  NbOfTxs: /^[0-9]{1,15}$/,
  CtrlSum: /^\d{1,16}\.\d{2}$/,
  InstdAmt: /^\d{1,16}\.\d{2}$/,
  PmtMtd: /^TRF$/,
  BtchBookg: /^(true|false)$/,
  Nm: /^[^<>]{1,140}$/u,
  IBAN: /^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/,
  Id: /^[^<>]{1,34}$/,
  BICFI: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
  MmbId: /^.{1,35}$/,
  Cd: /^[A-Z]{1,5}$/,
  Ccy: /^[A-Z]{3}$/,
  Ustrd: /^.{1,140}$/u,
};

interface Element {
  name: string;
  attributes: string;
  children: Element[];
  text: string;
}

/** Reads what the file consists of: elements, texts, and entities. Throws where it is not well formed. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: '', children: [], text: '' };
  const open = [root];
  const body = xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '');
  for (const [, close, name = '', attributes = '', text = ''] of body.matchAll(
    /<(\/?)([A-Za-z0-9]+)([^>]*)>([^<]*)/g,
  )) {
    if (close) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
    } else {
      const element = { name, attributes, children: [], text };
      open.at(-1)?.children.push(element);
      open.push(element);
    }
  }
  if (open.length !== 1) throw new Error('an element is not closed');
  return root.children[0] ?? root;
}

function problemsOf({ name, children, text }: Element): string[] {
  const isLeaf = children.length === 0;
  const sequence = isLeaf ? undefined : sequences[name];
  if (!sequence) return forms[name]?.test(text) ? [] : [`${name}: ${text}`];
  let at = 0;
  const wrong: string[] = [];
  for (const part of sequence) {
    const [, element = '', mark] = /^(\w+)([?*]?)$/.exec(part) ?? [];
    const before = at;
    while (children[at]?.name === element && (mark === '*' || at === before)) at += 1;
    if (mark !== '?' && at === before) wrong.push(`${name} has no ${element}`);
  }
  if (at < children.length) wrong.push(`${name} has ${children[at]?.name} at the wrong place`);
  return [...wrong, ...children.flatMap(problemsOf)];
}

const valuesOf = ({ name, children, text }: Element, wanted: string): string[] =>
  name === wanted && children.length === 0 ? [text] : children.flatMap((child) => valuesOf(child, wanted));

test('a bank file has the elements of pain.001.001.09 in their order and form', () => {
  const document = parse(bankFileOf(file));
  expect(document.attributes).toBe(' xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"');
  expect(problemsOf(document)).toEqual([]);
  // The check itself finds what is wrong.
  expect(problemsOf(parse(bankFileOf(file).replace('<PmtMtd>TRF</PmtMtd>', '')))).toEqual(['PmtInf has no PmtMtd']);
});

test('a bank file has a payment for each settlement, and their number and sum twice', () => {
  const document = parse(bankFileOf(file));
  const found = Object.fromEntries(
    ['EndToEndId', 'InstdAmt', 'NbOfTxs', 'CtrlSum', 'Dt', 'CreDtTm', 'Ccy'].map((name) => [
      name,
      valuesOf(document, name),
    ]),
  );
  expect(found).toEqual({
    EndToEndId: ['STTEST000001', 'STTEST000002'],
    InstdAmt: ['97.50', '1000.00'],
    NbOfTxs: ['2', '2'],
    CtrlSum: ['1097.50', '1097.50'],
    Dt: ['2026-11-24'],
    CreDtTm: ['2026-11-23T05:06:07Z'],
    Ccy: ['THB'],
  });
});

test('a bank file writes an IBAN or BIC where there is one, and escapes every text', () => {
  const text = bankFileOf(file);
  const document = parse(text);
  expect(valuesOf(document, 'IBAN')).toEqual(['GB33BUKB20201555555555']);
  expect(valuesOf(document, 'Id')).toEqual(['TH00123456789012', '123-4-56789-0']);
  expect(valuesOf(document, 'BICFI')).toEqual(['BKKBTHBK', 'KASITHBK']);
  expect([valuesOf(document, 'Cd'), valuesOf(document, 'MmbId')]).toEqual([['INFSC'], ['HDFC0001234']]);
  expect(text).toContain('<Nm>Lotus &amp; Sons &lt;&quot;O&apos;Hara&quot;&gt;</Nm>');
  expect(bankFileOf(file)).toBe(text);
  expect(() => bankFileOf({ ...file, payments: [] })).toThrow('no payment');
});
