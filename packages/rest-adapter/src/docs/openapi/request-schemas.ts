import { type Country, countries, countryRules, type OrderKind } from '@tidegate/domain';
import * as z from 'zod';
import type { Schema } from './schema.ts';

/** The countries that offer this kind of order. */
export function countriesOf(kind: OrderKind): Country[] {
  return countries.filter((country) => countryRules[country][kind] !== null);
}

/** E.g. `CreatePayinTH`. */
export function requestName(kind: OrderKind, country: Country): string {
  return `Create${kind === 'payin' ? 'Payin' : 'Payout'}${country}`;
}

/** What each country's create reads, out of the very forms that validate it. */
export function requestSchemas(): Schema {
  const schemas: Schema = {};
  for (const kind of ['payin', 'payout'] as const)
    for (const country of countriesOf(kind)) schemas[requestName(kind, country)] = requestSchema(kind, country);
  return schemas;
}

function requestSchema(kind: OrderKind, country: Country): Schema {
  const rules = countryRules[country][kind];
  if (!rules) throw new Error(`${country} has no ${kind}`);
  const { $schema: _, ...schema } = z.toJSONSchema(rules.schema, {
    io: 'input',
    // What it cannot say by itself (an object of the merchant's own, a number by its text) the forms say by their metadata.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'prefault') delete jsonSchema.default;
      if (zodSchema instanceof z.ZodObject) jsonSchema.required = neededFields(zodSchema);
    },
  });
  const name = kind === 'payin' ? 'Payin' : 'Payout';
  return {
    title: `${name}, ${country}`,
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

/** A field that is filled with an empty object when absent lacks what that object needs: it is as good as required. */
function neededFields(form: z.ZodObject): string[] {
  return Object.entries(form.shape).flatMap(([name, field]) =>
    field._zod.optin !== 'optional' || field._zod.def.type === 'prefault' ? [name] : [],
  );
}
