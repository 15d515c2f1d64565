import type { AmountFault } from './typed-amount.ts';

/** Why a typed amount cannot be read, in a sentence. */
export function amountProblem(fault: AmountFault, text: string): string {
  const typed = text.trim();
  switch (fault) {
    case 'digits':
      return 'Write an amount in digits, such as 1500.00, without a currency.';
    case 'point':
      return 'Write a point before the decimals and commas between groups: 1,500.00.';
    case 'ambiguous':
      return `${typed} can mean ${typed.replace('.', ',')} or ${typed}. Write it without a point, or with two decimals.`;
    case 'decimals':
      return 'Write at most two decimals, such as 1500.00.';
    case 'groups':
      return `The commas in ${typed} are not between groups of digits. Write a point before the decimals: 1500.00.`;
    default:
      return fault satisfies never;
  }
}
