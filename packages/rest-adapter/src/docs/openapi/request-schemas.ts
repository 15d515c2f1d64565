import {
  type Country,
  countries,
  countryRules,
  type OrderKind,
  type PayinRules,
  type PayoutRules,
} from '@tidegate/domain';
import type * as z from 'zod';

/** A kind of order that a country offers. */
export interface Offer {
  kind: OrderKind;
  country: Country;
  rules: PayinRules | PayoutRules;
}

export const offers: readonly Offer[] = (['payin', 'payout'] as const).flatMap((kind) =>
  countries.flatMap((country) => {
    const rules = countryRules[country][kind];
    return rules ? [{ kind, country, rules }] : [];
  }),
);

/** The kind in the names of schemas: `Payin`. */
export const nameOfKind = (kind: OrderKind): 'Payin' | 'Payout' => (kind === 'payin' ? 'Payin' : 'Payout');

/** E.g. `CreatePayinTH`. */
export function requestName(kind: OrderKind, country: Country): string {
  return `Create${nameOfKind(kind)}${country}`;
}

/** E.g. `PayinCreatedTH`, `PayoutFoundIN`. */
export function orderName(kind: OrderKind, view: 'created' | 'found', country: Country): string {
  return `${nameOfKind(kind)}${view === 'created' ? 'Created' : 'Found'}${country}`;
}

/** The validation schema of an offer, with what is said about the whole. */
export function requestSchema({ kind, country, rules }: Offer): z.ZodType {
  const needsUrl = !rules.schema.safeParse({ ...rules.example, notifyUrl: undefined }).success;
  return rules.schema.meta({
    title: `${nameOfKind(kind)}, ${country}`,
    description: [
      'Null, empty text, empty objects and empty arrays count as absent.',
      'Fields that are not named here are ignored, but signed.',
      ...(needsUrl ? [] : [withoutNotifyUrl(kind, country)]),
    ].join(' '),
  });
}

function withoutNotifyUrl(kind: OrderKind, country: Country): string {
  const hasDefault = kind === 'payout' || countryRules[country].payin.defaultNotifyUrl;
  return `Without \`notifyUrl\` ${hasDefault ? "the merchant's default address is notified" : 'nothing is notified'}.`;
}
