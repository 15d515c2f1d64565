import { groupDigits } from '../format/money.ts';

/** A request with its outcome and money. */
interface Titled {
  readonly title: string;
  readonly money?: { readonly amount: string; readonly currency: string } | null;
}

/** What a request does, with the money that it is about: `Mark paid: 815.23 INR`. */
export function outcomeOf({ title, money }: Titled): string {
  return money ? `${title}: ${groupDigits(money.amount, money.currency)} ${money.currency}` : title;
}
