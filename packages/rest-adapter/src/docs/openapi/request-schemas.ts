import {
  type Country,
  countries,
  countryRules,
  type OrderKind,
  type PayinRules,
  type PayoutRules,
} from '@tidegate/domain';
import * as z from 'zod';
import type { Schema } from './schema.ts';

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

/** The schemas of each country's create requests, made from the validation schemas. */
export function requestSchemas(): Schema {
  return Object.fromEntries(offers.map((offer) => [requestName(offer.kind, offer.country), requestSchema(offer)]));
}

function requestSchema({ kind, country, rules }: Offer): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(rules.schema, {
    io: 'input',
    // Some schemas cannot be converted: a free object of the merchant, and a number that is read by its text. Their
    // metadata has the JSON Schema.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'prefault') delete jsonSchema.default;
      if (zodSchema instanceof z.ZodObject) jsonSchema.required = neededFields(zodSchema);
    },
  });
  return {
    title: `${nameOfKind(kind)}, ${country}`,
    description: [
      'Null, empty text, empty objects and empty arrays count as absent.',
      'Fields that are not named here are ignored, but signed.',
      ...(schema.required?.includes('notifyUrl') ? [] : [withoutNotifyUrl(kind, country)]),
    ].join(' '),
    ...schema,
  };
}

function withoutNotifyUrl(kind: OrderKind, country: Country): string {
  const hasDefault = kind === 'payout' || countryRules[country].payin.defaultNotifyUrl;
  return `Without \`notifyUrl\` ${hasDefault ? "the merchant's default address is notified" : 'nothing is notified'}.`;
}

/** A field that is filled with an empty object when absent is required if that object has required fields. */
function neededFields(form: z.ZodObject): string[] {
  return Object.entries(form.shape).flatMap(([name, field]) =>
    field._zod.optin !== 'optional' || field._zod.def.type === 'prefault' ? [name] : [],
  );
}
