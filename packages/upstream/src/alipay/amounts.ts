/**
 * Reads an amount of Alipay: yuan as decimal text with at most two decimals. Returns it with two decimals; null for
 * other text.
 */
export function readYuan(text: string): string | null {
  const found = /^([0-9]{1,10})(?:\.([0-9]{1,2}))?$/.exec(text);
  return found?.[1] === undefined ? null : `${found[1].replace(/^0+(?=[0-9])/, '')}.${(found[2] ?? '').padEnd(2, '0')}`;
}

/** Whether an amount in yuan with two decimals is not zero. */
export function isPositive(yuan: string): boolean {
  return /[1-9]/.test(yuan);
}

/** The smaller of two amounts in yuan with two decimals. */
export function smallerYuan(a: string, b: string): string {
  return BigInt(a.replace('.', '')) < BigInt(b.replace('.', '')) ? a : b;
}
