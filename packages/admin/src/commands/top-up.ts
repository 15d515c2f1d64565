import { book, bookingFields } from '../book.ts';
import { defineCommand } from '../command.ts';
import { required } from '../fields.ts';
import { amount } from '../readers.ts';

export const topUp = defineCommand({
  name: 'top-up',
  group: 'Wallets',
  summary: 'book money that came in at the bank for a merchant',
  kind: 'change',
  role: 'finance',
  fields: { ...bookingFields, amount: required('--amount <amount>', 'how much', amount) },
  run: (context, input) => book(context, 'TOP_UP', input),
});
