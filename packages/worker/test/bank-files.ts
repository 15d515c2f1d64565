/** A movement in a bank's file. Its direction is in the sign of the amount. */
export interface BankMovement {
  amount: string;
  /** `AcctSvcrRef`, what comes after `//` in MT940, and the bank's reference of BAI2. */
  bankRef?: string;
  txId?: string;
  orderNo?: string;
}

/** Days are `YYYY-MM-DD`. `until` ends the period within the last day, as `12:00:00`. */
export interface BankFile {
  id: string;
  account?: string;
  currency?: string;
  from: string;
  to?: string;
  until?: string;
  opening: string;
  /** Default: the opening balance and the movements. */
  closing?: string;
  movements: readonly BankMovement[];
}

const minor = (amount: string): number => Math.round(Number(amount) * 100);
const sumOf = (movements: readonly BankMovement[]): number =>
  movements.reduce((sum, { amount }) => sum + minor(amount), 0);
const closingOf = ({ opening, closing, movements }: BankFile): string =>
  closing ?? ((minor(opening) + sumOf(movements)) / 100).toFixed(2);

/** A file in camt.053. All movements are of its last day. */
export function camtFile(file: BankFile): string {
  const { id, account = 'TEST-1', currency = 'PKR', from, to = from, until = '23:59:59', opening, movements } = file;
  const balance = (code: string, amount: string, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt>
      <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entry = ({ amount, bankRef, txId, orderNo }: BankMovement) =>
    `<Ntry><Amt Ccy="${currency}">${amount.replace('-', '')}</Amt><CdtDbtInd>${amount.startsWith('-') ? 'DBIT' : 'CRDT'}</CdtDbtInd>
      <Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${to}</Dt></BookgDt>${bankRef === undefined ? '' : `<AcctSvcrRef>${bankRef}</AcctSvcrRef>`}
      <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
      <NtryDtls><TxDtls><Refs>${orderNo === undefined ? '' : `<EndToEndId>${orderNo}</EndToEndId>`}${
        txId === undefined ? '' : `<TxId>${txId}</TxId>`
      }</Refs></TxDtls></NtryDtls></Ntry>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>${id}</MsgId></GrpHdr>
<Stmt><Id>${id}</Id><FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T${until}</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', opening, from)}${balance('CLBD', closingOf(file), to)}${movements.map(entry).join('\n')}
</Stmt></BkToCstmrStmt></Document>`;
}

/** The same as MT940, of one day. */
export function mt940File(file: BankFile): string {
  const { id, account = 'TEST-1', currency = 'PKR', from, opening, movements } = file;
  const day = from.slice(2).replaceAll('-', '');
  const comma = (amount: string) => amount.replace('-', '').replace('.', ',');
  const entry = ({ amount, bankRef, orderNo = 'NONREF' }: BankMovement) =>
    `:61:${day}${amount.startsWith('-') ? 'D' : 'C'}${comma(amount)}NTRF${orderNo}${bankRef === undefined ? '' : `//${bankRef}`}`;
  return [
    `:20:${id}`,
    `:25:${account}`,
    ':28C:1/1',
    `:60F:C${day}${currency}${comma(opening)}`,
    ...movements.map(entry),
    `:62F:C${day}${currency}${comma(closingOf(file))}`,
    '-',
    '',
  ].join('\r\n');
}

/** The same as BAI2, of one day. */
export function bai2File(file: BankFile): string {
  const { id, account = 'TEST-1', currency = 'PKR', from, opening, movements } = file;
  const day = from.slice(2).replaceAll('-', '');
  const [open, close] = [minor(opening), minor(closingOf(file))];
  const total = open + close + movements.reduce((sum, { amount }) => sum + Math.abs(minor(amount)), 0);
  const entries = movements.map(
    ({ amount, bankRef = '', orderNo = '' }) =>
      `16,${amount.startsWith('-') ? '495' : '195'},${Math.abs(minor(amount))},Z,${bankRef},${orderNo},/`,
  );
  const records = entries.length + 2;
  return [
    `01,BANK,US,${day},0000,${id},,,2/`,
    `02,US,BANK,1,${day},0000,${currency},2/`,
    `03,${account},${currency},010,${open},,,015,${close},,/`,
    ...entries,
    `49,${total},${records}/`,
    `98,${total},1,${records + 2}/`,
    `99,${total},1,${records + 4}/`,
    '',
  ].join('\n');
}
