import { type TypeWord, typeTable } from '../reading/type-words.ts';

const source = 'https://docs.omise.co/transactions-api (origin: charge, refund, transfer, dispute, receipt)';

/**
 * The prefix of the id in `origin`, with `direction`. A transfer pays the balance out to our bank account. As a credit
 * it is a transfer that came back.
 */
const opnTypes: readonly TypeWord[] = [
  { word: 'chrg credit', type: 'payin', source },
  { word: 'rfnd debit', type: 'refund', source },
  { word: 'trsf debit', type: 'settlement', source },
  { word: 'trsf credit', type: 'settlement', source },
  { word: 'dspt debit', type: 'adjustment', source },
  { word: 'dspt credit', type: 'adjustment', source },
  { word: 'rcpt debit', type: 'fee', source },
];

export const opnTypeOf = typeTable(opnTypes);
