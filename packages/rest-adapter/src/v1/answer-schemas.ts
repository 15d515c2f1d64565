import {
  type Country,
  countries,
  countryRules,
  currencyOf,
  type EntryType,
  type OrderKind,
  type OrderStatus,
  type ShownField,
  type ShownValue,
  transitionRules,
  type WalletView,
} from '@tidegate/domain';
import * as z from 'zod';

/** A text that the service writes, so nothing checks it again. `form` is more of its JSON Schema. */
export const text = (description: string, form: object = {}): z.ZodType<string> =>
  z.custom<string>().meta({ type: 'string', ...form, description });
const money = (description: string) => text(description, { pattern: '^[0-9]+\\.[0-9]{2}$' });
const signedMoney = (description: string) => text(description, { pattern: '^-?[0-9]+\\.[0-9]{2}$' });
/** A whole number that the service writes. */
export const whole = (description: string) => z.custom<number>().meta({ type: 'integer', description });
const unixSeconds = (description: string) => whole(`${description} Unix seconds.`);

/** Every field of an order that a merchant may see. */
const orderFields: { [Field in ShownField]: (kind: OrderKind, country: Country) => z.ZodType<ShownValue<Field>> } = {
  orderNo: (kind) =>
    text("The service's order number.", { pattern: `^${kind === 'payin' ? 'PI' : 'PO'}[0-9A-Z]{1,30}$` }),
  merchantOrderNo: () => text("The merchant's own order number."),
  amount: () => money('What was asked for, in the currency of the merchant.'),
  feeAmount: () => money('The fee, by the rates in force when the order was created.'),
  netAmount: (kind) =>
    money(kind === 'payin' ? 'Amount minus fee: what the wallet is credited.' : 'Amount plus fee: what is frozen.'),
  status: (kind, country) => z.enum(statusesOf(kind, country)).describe('Status of the order.'),
  payUrl: () => text('The page where the payer pays.', { format: 'uri' }),
  payQr: () => text('The text of the QR code, if the channel provides one.').optional(),
  payoutMethod: () => z.enum(['BANK_TRANSFER']).describe('How the payee is paid.'),
  fulfillmentMode: () => z.enum(['upstream', 'market', 'manual']).describe('How the order is processed.'),
  payoutTaskId: () => text('The task of a payout on the task market.').optional(),
  createdAt: (kind, country) =>
    countryRules[country][kind]?.createView.createdAt === 'iso8601'
      ? text('Time of creation, in UTC with milliseconds.', { format: 'date-time' })
      : unixSeconds('When it was created.'),
  completedAt: () => unixSeconds('When it was completed; only on completed orders.').optional(),
  failureReason: () => text('Why it failed or timed out, if known.').optional(),
};

/** Every status that such an order can reach by the transition table. */
export function statusesOf(kind: OrderKind, country: Country): OrderStatus[] {
  const rules = transitionRules.filter((rule) => rule.kind === kind && rule.country === country);
  return [...new Set(rules.map(({ to }) => to))];
}

/** These fields of an order, as merchants of this country see them. */
export function orderSchema(kind: OrderKind, country: Country, fields: readonly ShownField[]): z.ZodObject {
  return z
    .object(Object.fromEntries(fields.map((field) => [field, orderFields[field](kind, country)])))
    .meta({ title: `Fields of a ${kind} in ${country}` });
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

/** The wallet (decisions 6). */
export const walletSchema: z.ZodType<WalletView> = z.object({
  merchantNo: text('The merchant number.'),
  currency: z.enum(countries.map((country) => currencyOf[country])).describe('Its currency.'),
  balance: signedMoney('Available plus frozen.'),
  available: signedMoney('What new payouts can use.'),
  frozen: signedMoney('What is kept for payouts that have not ended.'),
  updatedAt: unixSeconds('When it changed last.'),
});

const typesOfEntries = Object.keys(entryTypes) as EntryType[];

/** An entry of the wallet. */
export const transactionSchema = z.object({
  transactionNo: text('Numbered per wallet, without gaps.', { pattern: '^WT[0-9]{12,}$' }),
  type: z.enum(typesOfEntries).describe(typesOfEntries.map((type) => `\`${type}\`: ${entryTypes[type]}.`).join(' ')),
  amount: signedMoney('Its effect on the balance.'),
  frozenChange: signedMoney('What a freeze or release froze; only on those.').optional(),
  balance: signedMoney('Right after it.'),
  available: signedMoney('Right after it.'),
  frozen: signedMoney('Right after it.'),
  orderNo: text('The order that it belongs to.').optional(),
  merchantOrderNo: text("That order's number at the merchant.").optional(),
  remark: text('Remark of the operator who booked it.').optional(),
  createdAt: unixSeconds('When it was booked.'),
});

/** A page of entries. */
export const transactionsSchema = z.object({
  list: z.array(transactionSchema).describe('Newest first.'),
  page: whole('The requested page.'),
  pageSize: whole('Transactions per page.'),
  total: whole('Number of all transactions.'),
});
