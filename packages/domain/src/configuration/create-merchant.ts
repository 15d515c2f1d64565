import type { Country } from '../core/country.ts';
import { merchantTag } from '../core/order-number.ts';
import { currencyOf } from '../countries/index.ts';
import { Merchant, MerchantServiceKey } from '../database/entities/merchant.ts';
import { isTaken } from '../database/unit-of-work.ts';
import { type ChangeTransaction, openWallet } from '../ledger/index.ts';
import { type KeyPair, serviceKeyOf } from './make-service-key.ts';

export interface NewMerchant {
  /** The merchant number: 3 to 32 upper-case letters, digits and hyphens. */
  merchantId: string;
  name: string;
  country: Country;
  defaultNotifyUrl?: string;
  acceptDeprecatedFields?: boolean;
}

export interface CreatedMerchant {
  entity: object;
  serviceKeyId: string;
  /** PEM (SPKI). */
  servicePublicKeyPem: string;
}

/**
 * Creates a merchant with its empty wallet and the key that signs its notifications; null if the number exists. After
 * null the surrounding transaction can only be rolled back. Country and currency never change.
 */
export async function createMerchant(
  within: ChangeTransaction,
  merchant: NewMerchant,
  pair: KeyPair,
): Promise<CreatedMerchant | null> {
  const { merchantId, country } = merchant;
  const em = within.database.unitOfWork();
  if (await em.findOne(Merchant, merchantId)) return null;
  const currency = currencyOf[country];
  const entity = em.create(Merchant, { ...merchant, currency, tag: merchantTag(merchantId) });
  const key = serviceKeyOf(within.vault, merchantId, pair);
  try {
    em.persist([entity, em.create(MerchantServiceKey, { merchant: merchantId, ...key })]);
    await openWallet(em, merchantId, currency);
    await em.flush();
  } catch (error) {
    // Another process created it at the same time.
    if (isTaken(error, 'merchant_pkey')) return null;
    throw error;
  }
  return { entity, serviceKeyId: key.keyId, servicePublicKeyPem: key.publicKeyPem };
}
