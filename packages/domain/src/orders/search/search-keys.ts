import { lastWordOf, plainAccount, plainName, plainPhone } from '../../core/search-text.ts';
import { dialCodes } from '../../countries/index.ts';
import type { Vault } from '../../database/vault.ts';

/** Keyed hash of an account number, the same at storing and searching; null if it has no letter or digit. */
export function accountKeyOf(vault: Vault, account: string): string | null {
  const plain = plainAccount(account);
  return plain && vault.hashOf('account', plain);
}

/** Keyed hash of a phone number, the same at storing and searching; null if it has no digit. */
export function phoneKeyOf(vault: Vault, phone: string): string | null {
  const plain = plainPhone(phone, dialCodes);
  return plain && vault.hashOf('phone', plain);
}

/** The texts by which an order is found, as the merchant sent them. */
export interface Searched {
  merchantId: string;
  orderNo: string;
  merchantOrderNo: string;
  createdAt: string;
  account: string | null;
  phone: string | null;
  name: string | null;
}

type SearchRow = Omit<Searched, 'account' | 'phone'> & {
  accountKey: string | null;
  phoneKey: string | null;
  lastName: string | null;
};

/** The row that makes an order findable. */
export function searchRowOf(vault: Vault, { account, phone, name, ...order }: Searched): SearchRow {
  const plain = name === null ? null : plainName(name);
  return {
    ...order,
    accountKey: account === null ? null : accountKeyOf(vault, account),
    phoneKey: phone === null ? null : phoneKeyOf(vault, phone),
    name: plain,
    lastName: plain && lastWordOf(plain),
  };
}
