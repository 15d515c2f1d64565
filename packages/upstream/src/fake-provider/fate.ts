/** What happens to an order after the provider accepted it. */
export type Fate = 'open' | 'refused' | 'fails' | 'expires' | 'other_amount' | 'paid_late' | 'returned' | 'paid';

/** The digits of the sandbox's own channel mean the same here: 21, 22, 23, 41 (payouts), 42 and 51. */
const fates: Record<string, Fate> = {
  '11': 'refused',
  '12': 'fails',
  '13': 'expires',
  '14': 'other_amount',
  '15': 'paid_late',
  '16': 'returned',
  '21': 'fails',
  '22': 'expires',
  '23': 'open',
  '41': 'returned',
  '42': 'paid_late',
  '51': 'other_amount',
};

/** The fate of an order by the last two digits of its amount, which is decimal text with two decimals. */
export function fateOf(amount: string): Fate {
  const cents = amount.slice(-2);
  return /^0[1-9]$/.test(cents) ? 'open' : (fates[cents] ?? 'paid');
}
