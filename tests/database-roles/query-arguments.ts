interface Known {
  orderNo: string;
  approvalId: string;
  /** In milliseconds since 1970. */
  now: number;
}

/** The arguments of each query field that needs some, as GraphQL text. They name what the sandbox's database has. */
export function queryArguments({ orderNo, approvalId, now }: Known): Record<string, string> {
  const times = `from: "${new Date(now - 86_400_000).toISOString()}", to: "${new Date(now).toISOString()}"`;
  return {
    figures: `(input: { ${times}, grain: HOUR, by: [KIND, STATUS, BANK], compareWith: DAY_BEFORE })`,
    resendCount: `(input: { merchantId: "CN10001", ${times}, states: [PENDING, EXHAUSTED], errors: ["refused"] })`,
    walletStatement: `(input: { merchantId: "CN10001", firstDay: "2026-01-01", lastDay: "2026-12-31" })`,
    approval: `(approvalId: "${approvalId}")`,
    channel: '(channelId: "sandbox")',
    operator: '(operatorId: "admin")',
    savedViews: '(screen: ORDERS)',
    merchant: '(merchantId: "CN10001")',
    moneyCase: '(merchantId: "CN10001", caseNo: 1)',
    merchantHistory: '(first: 3, merchantId: "CN10001")',
    order: `(orderNo: "${orderNo}")`,
    reconciliationDay: '(country: PK, channelId: "fake", day: "2026-01-01")',
    reconciliationDays: '(input: { from: "2026-01-01", to: "2026-01-31" })',
    reconciliationBreak: '(country: CN, breakNo: 1)',
    statement: '(country: CN, fileNo: 1)',
    statementLines: '(first: 3, filter: { country: CN, fileNo: 1 })',
    csvProfileVersions: '(name: "bank")',
    proposedFormats: '(country: CN, fileNo: 1)',
    statementPreview: '(country: CN, fileNo: 1, format: "mt940")',
    settlement: '(merchantId: "CN10001", settlementNo: "STNONE000001")',
    settlementCycle: '(merchantId: "CN10001")',
    settlementEntries: `(first: 3, filter: { merchantId: "CN10001" })`,
    waitingDays: '(first: 3, filter: { waitsFor: CLOSING })',
    transfers: `(first: 3, filter: { merchantId: "CN10001" })`,
  };
}
