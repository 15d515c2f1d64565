import { getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { schema } from '../src/schema/schema.ts';

// The lists of the schema, and how a test selects their owners.

/** Every list, as `Owner.field`. */
export const connections = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) || isInterfaceType(type))
  .flatMap((owner) =>
    Object.values(owner.getFields())
      .filter(({ type }) => getNamedType(type).name.endsWith('Connection'))
      // Fields of an interface are selected on the interface.
      .filter(({ name }) => !owner.getInterfaces().some((one) => name in one.getFields()))
      .map((field) => ({ path: `${owner.name}.${field.name}`, owner: owner.name, field })),
  );

/** What the selection of an owner needs: an order, and a merchant with cases. */
export interface OwnedBy {
  orderNo: string;
  merchantId: string;
}

const dayAt = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(0, 10);
const days = `firstDay: "${dayAt(-86_400_000)}", lastDay: "${dayAt(86_400_000)}"`;

/** The selection of one owner of lists. Add a row for each new type that has lists. */
export const selectionOfOwner: Readonly<Record<string, (of: OwnedBy) => string>> = {
  Order: ({ orderNo }) => `order(orderNo: "${orderNo}")`,
  Merchant: ({ merchantId }) => `merchant(merchantId: "${merchantId}")`,
  Channel: () => 'channels(first: 1) { edges { node',
  MoneyCase: ({ merchantId }) => `moneyCases(first: 1, filter: { merchantIds: ["${merchantId}"] }) { edges { node`,
  Operator: () => 'operators(first: 1) { edges { node',
  ReconciliationBreak: () => 'breaks(first: 1) { edges { node',
  WalletStatement: ({ merchantId }) => `walletStatement(input: { merchantId: "${merchantId}", ${days} })`,
};

/** The list of all owners of a type. Add a row for each new type that has lists and is itself in a list. */
export const listOfOwners: Readonly<Record<string, string>> = {
  Order: 'orders',
  Merchant: 'merchants',
  Channel: 'channels',
  Operator: 'operators',
  MoneyCase: 'moneyCases',
  ReconciliationBreak: 'breaks',
};

/** A document has few statements: no list leads to them. */
export const isInNoList = (owner: string): boolean => owner === 'Query' || owner === 'WalletStatement';
