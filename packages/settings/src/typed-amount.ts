/** Why a typed amount cannot be read. `amountProblem` has the sentences. */
export type AmountFault = 'digits' | 'point' | 'ambiguous' | 'decimals' | 'groups';

/** An amount that a person typed: decimal text for the API, or why it cannot be read. */
export type ReadAmount = { ok: true; amount: string } | { ok: false; fault: AmountFault };

const refuse = (fault: AmountFault): ReadAmount => ({ ok: false, fault });

/** `1,234,567` in all countries, or `12,34,567`. */
const GROUPED = /^(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})*,\d{3})$/;

/**
 * Reads an amount as people type it: with or without commas between the groups, `1,500.00` or `1,00,000`. What can mean
 * two amounts is refused, never guessed.
 */
export function readAmount(text: string): ReadAmount {
  const typed = text.trim().replace(/^\u2212/, '-');
  const sign = typed.startsWith('-') ? '-' : '';
  const figure = typed.slice(sign.length);
  if (!/^[\d.,]+$/.test(figure) || !/\d/.test(figure)) return refuse('digits');
  const [whole = '', decimals, ...more] = figure.split('.');
  if (more.length > 0 || decimals?.includes(',')) return refuse('point');
  if (decimals?.length === 3 && !whole.includes(',')) return refuse('ambiguous');
  if (decimals !== undefined && !/^\d{1,2}$/.test(decimals)) return refuse('decimals');
  if (whole.includes(',') && !GROUPED.test(whole)) return refuse('groups');
  const digits = whole.replaceAll(',', '').replace(/^0+(?=\d)/, '') || '0';
  return { ok: true, amount: `${sign}${digits}${decimals === undefined ? '' : `.${decimals}`}` };
}
