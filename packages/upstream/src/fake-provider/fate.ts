/** What happens to an order after the provider took it. */
export type Fate = 'open' | 'refused' | 'fails' | 'expires' | 'other_amount' | 'paid_late' | 'returned' | 'paid';

const fates: Record<string, Fate> = {
  '11': 'refused',
  '12': 'fails',
  '13': 'expires',
  '14': 'other_amount',
  '15': 'paid_late',
  '16': 'returned',
};

/** The fate of an order by the last two digits of its amount, which is decimal text with two decimals. */
export function fateOf(amount: string): Fate {
  const cents = amount.slice(-2);
  return /^0[1-9]$/.test(cents) ? 'open' : (fates[cents] ?? 'paid');
}
