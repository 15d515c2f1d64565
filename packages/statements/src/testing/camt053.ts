export interface CamtEntry {
  amount: string;
  currency?: string;
  mark: 'CRDT' | 'DBIT';
  day?: string;
  /** Elements of the entry. */
  inside?: string;
  /** Elements in `NtryDtls`. */
  details?: string;
}

export function camtEntry({
  amount,
  currency = 'THB',
  mark,
  day = '2026-11-01',
  inside = '',
  details,
}: CamtEntry): string {
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>${day}</Dt></BookgDt>${inside}${details === undefined ? '' : `<NtryDtls>${details}</NtryDtls>`}</Ntry>`;
}

/** A transaction of a batch, with our order number. */
export const camtDetail = (orderNo: string, inside = '') =>
  `<TxDtls><Refs><EndToEndId>${orderNo}</EndToEndId></Refs>${inside}<RltdPties><Dbtr><Nm>A. Person</Nm></Dbtr></RltdPties></TxDtls>`;

const balance = (code: string, amount: string, mark: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="THB">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd>
    <Dt><Dt>2026-11-01</Dt></Dt></Bal>`;

export function camtStatement(entries: readonly string[], { account = 'TH1' } = {}): string {
  return `<Stmt><Id>1</Id><FrToDt><FrDtTm>2026-11-01T00:00:00</FrDtTm><ToDtTm>2026-11-02T00:00:00</ToDtTm></FrToDt>
    <Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>THB</Ccy></Acct>
    ${balance('OPBD', '100.00', 'DBIT')}${balance('CLBD', '50.00', 'CRDT')}${balance('CLAV', '1.00', 'CRDT')}
    <TxsSummry><TtlNtries><NbOfNtries>${entries.length}</NbOfNtries></TtlNtries></TxsSummry>${entries.join('')}</Stmt>`;
}

export function camtDocument(statements: readonly string[], version = '02'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
${statements.join('')}</BkToCstmrStmt></Document>`;
}
