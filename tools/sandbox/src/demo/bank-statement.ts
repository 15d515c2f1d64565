/** An entry of a bank statement. `day` is `YYYY-MM-DD`, `amount` decimal text with two decimals. */
export interface BankEntry {
  day: string;
  amount: string;
  /** The bank's reference. A reference that occurs twice is the same movement, listed twice. */
  reference: string;
  /** Our order number, if the payment names one. */
  orderNo?: string;
  /**
   * `charge`: the bank debited a fee. `reversal`: an earlier payment was refunded. `payout`: an outgoing payment.
   * Default: an incoming payment.
   */
  what?: 'charge' | 'reversal' | 'payout';
}

interface StatementOf {
  account: string;
  currency: string;
  /** The first and the last day of the statement. */
  from: string;
  to: string;
  entries: readonly BankEntry[];
}

/** Writes a bank statement as camt.053 (ISO 20022). Its balances add up. */
export function bankStatement({ account, currency, from, to, entries }: StatementOf): string {
  const opening = 1_000_000_00n;
  const closing = entries.reduce((sum, entry) => sum + minorUnits(entry), opening);
  const balance = (code: string, amount: bigint, day: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${decimalOf(amount)}</Amt>` +
    `<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>${account} ${to}</MsgId></GrpHdr>
<Stmt><Id>${to}</Id><FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${account}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', opening, from)}${balance('CLBD', closing, to)}
${entries.map((entry) => entryOf(entry, currency)).join('\n')}
</Stmt></BkToCstmrStmt></Document>
`;
}

const families = { payment: 'RCDT', charge: 'CHRG', reversal: 'RCDT', payout: 'ICDT' } as const;

function entryOf({ day, amount, reference, orderNo, what }: BankEntry, currency: string): string {
  const subFamily = { payment: 'ESCT', charge: 'CHRG', reversal: 'RRTN', payout: 'ESCT' }[what ?? 'payment'];
  const code = `<Domn><Cd>PMNT</Cd><Fmly><Cd>${families[what ?? 'payment']}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn>`;
  const order = orderNo === undefined ? '' : `<EndToEndId>${orderNo}</EndToEndId>`;
  return (
    `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${what === undefined ? 'CRDT' : 'DBIT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><Dt>${day}</Dt></BookgDt><BkTxCd>${code}</BkTxCd>` +
    `<NtryDtls><TxDtls><Refs>${order}<TxId>${reference}</TxId></Refs></TxDtls></NtryDtls></Ntry>`
  );
}

function minorUnits({ amount, what }: BankEntry): bigint {
  const minor = BigInt(amount.replace('.', ''));
  return what === undefined ? minor : -minor;
}

function decimalOf(minor: bigint): string {
  const digits = minor.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
