import {
  type Country,
  countries,
  countryRules,
  currencyOf,
  type EntryType,
  type OrderKind,
  type ShownField,
  transitionRules,
} from '@tidegate/domain';
import { nameOfKind, offers } from './request-schemas.ts';
import { objectOf, type Schema } from './schema.ts';

const money = (description: string): Schema => ({ type: 'string', pattern: '^[0-9]+\\.[0-9]{2}$', description });
const signedMoney = (description: string): Schema => ({
  type: 'string',
  pattern: '^-?[0-9]+\\.[0-9]{2}$',
  description,
});
const unixSeconds = (description: string): Schema => ({ type: 'integer', description: `${description} Unix seconds.` });

/** Every field of an order that a merchant may see. */
const orderFields: Record<ShownField, (kind: OrderKind, country: Country) => Schema> = {
  orderNo: (kind) => ({
    type: 'string',
    pattern: kind === 'payin' ? '^PI[0-9A-Z]{1,30}$' : '^PO[0-9A-Z]{1,30}$',
    description: "The service's order number.",
  }),
  merchantOrderNo: () => ({ type: 'string', description: "The merchant's own order number." }),
  amount: () => money('What was asked for, in the currency of the merchant.'),
  feeAmount: () => money('The fee, by the rates in force when the order was created.'),
  netAmount: (kind) =>
    money(kind === 'payin' ? 'Amount minus fee: what the wallet is credited.' : 'Amount plus fee: what is frozen.'),
  status: (kind, country) => ({
    type: 'string',
    enum: statusesOf(kind, country),
    description: 'Status of the order.',
  }),
  payUrl: () => ({ type: 'string', format: 'uri', description: 'The page where the payer pays.' }),
  payQr: () => ({ type: 'string', description: 'The text of the QR code, if the channel provides one.' }),
  payoutMethod: () => ({ type: 'string', enum: ['BANK_TRANSFER'], description: 'How the payee is paid.' }),
  fulfillmentMode: () => ({
    type: 'string',
    enum: ['upstream', 'market', 'manual'],
    description: 'How the order is processed.',
  }),
  payoutTaskId: () => ({ type: 'string', description: 'The task of a payout on the task market.' }),
  createdAt: (kind, country) =>
    countryRules[country][kind]?.createView.createdAt === 'iso8601'
      ? { type: 'string', format: 'date-time', description: 'Time of creation, in UTC with milliseconds.' }
      : unixSeconds('When it was created.'),
  completedAt: () => unixSeconds('When it was completed; only on completed orders.'),
  failureReason: () => ({ type: 'string', description: 'Why it failed or timed out, if known.' }),
};

const optionalFields: readonly ShownField[] = ['payQr', 'payoutTaskId', 'completedAt', 'failureReason'];

/** E.g. `PayinCreatedTH`, `PayoutFoundIN`. */
export function orderName(kind: OrderKind, view: 'created' | 'found', country: Country): string {
  return `${nameOfKind(kind)}${view === 'created' ? 'Created' : 'Found'}${country}`;
}

/** Every status that such an order can reach by the transition table. */
export function statusesOf(kind: OrderKind, country: Country): string[] {
  const rules = transitionRules.filter((rule) => rule.kind === kind && rule.country === country);
  return [...new Set(rules.map(({ to }) => to))];
}

/** The answers of creates and queries, by country, with the fields of the country's views. */
export function orderSchemas(): Schema {
  const schemas: Schema = {};
  for (const { kind, country, rules } of offers) {
    schemas[orderName(kind, 'created', country)] = orderSchema(kind, country, rules.createView.fields);
    schemas[orderName(kind, 'found', country)] = orderSchema(kind, country, rules.queryView.fields);
  }
  return schemas;
}

/** These fields of an order, as merchants of this country see them. */
export function orderSchema(kind: OrderKind, country: Country, fields: readonly ShownField[]): Schema {
  const properties = Object.fromEntries(fields.map((field) => [field, orderFields[field](kind, country)]));
  return { title: `Fields of a ${kind} in ${country}`, ...objectOf(properties, optionalFields) };
}

const entryTypes: Record<EntryType, string> = {
  PAYIN: 'a payin was completed',
  PAYOUT_FREEZE: 'a payout was created',
  PAYOUT_RELEASE: 'a payout ended without being paid',
  PAYOUT: 'a payout was completed',
  TOP_UP: 'the merchant paid money in',
  ADJUSTMENT: 'an operator corrected the wallet',
  SETTLEMENT: 'money was paid to the merchant',
  PAYOUT_RETURN: 'a bank returned a completed payout',
};

/** The wallet and its entries (decisions 6). */
export const walletSchemas: Schema = {
  Wallet: objectOf({
    merchantNo: { type: 'string', description: 'The merchant number.' },
    currency: { type: 'string', enum: countries.map((country) => currencyOf[country]), description: 'Its currency.' },
    balance: signedMoney('Available plus frozen.'),
    available: signedMoney('What new payouts can use.'),
    frozen: signedMoney('What is kept for payouts that have not ended.'),
    updatedAt: unixSeconds('When it changed last.'),
  }),
  WalletTransaction: objectOf(
    {
      transactionNo: { type: 'string', pattern: '^WT[0-9]{12,}$', description: 'Numbered per wallet, without gaps.' },
      type: {
        type: 'string',
        enum: Object.keys(entryTypes),
        description: Object.entries(entryTypes)
          .map(([type, meaning]) => `\`${type}\`: ${meaning}.`)
          .join(' '),
      },
      amount: signedMoney('Its effect on the balance.'),
      frozenChange: signedMoney('What a freeze or release froze; only on those.'),
      balance: signedMoney('Right after it.'),
      available: signedMoney('Right after it.'),
      frozen: signedMoney('Right after it.'),
      orderNo: { type: 'string', description: 'The order that it belongs to.' },
      merchantOrderNo: { type: 'string', description: "That order's number at the merchant." },
      remark: { type: 'string', description: 'Remark of the operator who booked it.' },
      createdAt: unixSeconds('When it was booked.'),
    },
    ['frozenChange', 'orderNo', 'merchantOrderNo', 'remark'],
  ),
  WalletTransactions: objectOf({
    list: { type: 'array', items: { $ref: '#/components/schemas/WalletTransaction' }, description: 'Newest first.' },
    page: { type: 'integer', description: 'The requested page.' },
    pageSize: { type: 'integer', description: 'Transactions per page.' },
    total: { type: 'integer', description: 'Number of all transactions.' },
  }),
};
