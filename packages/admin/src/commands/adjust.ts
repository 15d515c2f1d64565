import { book, bookingFields } from '../book.ts';
import { defineCommand } from '../command.ts';
import { required } from '../fields.ts';
import { signedAmount } from '../readers.ts';

export const adjust = defineCommand({
  name: 'adjust',
  group: 'Wallets',
  summary: 'correct a wallet; above the approval limit it needs two operators',
  kind: 'change',
  role: 'finance',
  fields: {
    ...bookingFields,
    amount: required('--amount <amount>', 'how much; with a minus to take out: --amount=-12.50', signedAmount),
  },
  run: (context, input) => book(context, 'ADJUSTMENT', input),
});
