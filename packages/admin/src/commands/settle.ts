import { book, bookingFields } from '../book.ts';
import { defineCommand } from '../command.ts';
import { required } from '../fields.ts';
import { amount } from '../readers.ts';

export const settle = defineCommand({
  name: 'settle',
  group: 'Wallets',
  summary: "take out what was paid to a merchant's bank; above the approval limit it needs two operators",
  kind: 'change',
  role: 'finance',
  fields: { ...bookingFields, amount: required('--amount <amount>', 'how much', amount) },
  run: (context, input) => book(context, 'SETTLEMENT', input),
});
