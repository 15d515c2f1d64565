import type { BankAccount } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';

export const BankAccountType = builder.objectRef<BankAccount>('BankAccount').implement({
  description: 'Bank account to which a merchant is settled.',
  fields: (t) => ({
    holder: t.exposeString('holder', { description: 'Name of the holder.' }),
    number: t.exposeString('number', { description: 'Account number or IBAN.' }),
    bank: t.exposeString('bank', { description: 'Code of the bank, such as its BIC.' }),
  }),
});

export const EndingType = builder.objectRef<string>('BankAccountEnding').implement({
  description: 'Identifies a bank account.',
  fields: (t) => ({
    ending: t.string({ description: 'Last characters of the account number.', resolve: (ending) => ending }),
  }),
});
