import { type InputField, inputFields } from '@tidegate/domain/operators';
import type { ZodObject } from 'zod';
import { builder } from '../graphql/builder.ts';
import { enumOfChoices } from './choices.ts';

const inputTypes = new Map<string, ReturnType<typeof makeInputType>>();

/** The input type of an operation, made from the schema of each field. The operation itself checks the values. */
export function inputTypeOf(name: string, input: ZodObject) {
  const type = inputTypes.get(name) ?? makeInputType(name, input);
  inputTypes.set(name, type);
  return type;
}

function makeInputType(name: string, input: ZodObject) {
  return builder.inputType(`${name}Input`, {
    description: `Input of ${name.charAt(0).toLowerCase()}${name.slice(1)}.`,
    fields: (t) =>
      Object.fromEntries(
        inputFields(input).map((field) => {
          const options = { required: field.required && !field.nullable, description: field.about };
          return [field.name, t.field({ ...options, type: typeOf(field) })];
        }),
      ),
  });
}

/** Removes nulls that have no meaning, because clients write null for absent fields. */
export function withoutNulls(input: ZodObject, values: object): object {
  const nullable = new Set(
    inputFields(input)
      .filter((field) => field.nullable)
      .map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== null || nullable.has(name)));
}

/** The type of a field, in inputs and where its value is shown. */
export function typeOf({ form, choices }: Pick<InputField, 'form' | 'choices'>) {
  switch (form) {
    case 'text':
      return 'String';
    case 'choice':
      return enumOfChoices(choices ?? []);
    case 'texts':
      return choices ? ([enumOfChoices(choices)] as [ReturnType<typeof enumOfChoices>]) : (['String'] as ['String']);
    case 'amount':
      return 'Decimal';
    case 'percent':
      return 'Percentage';
    case 'instant':
      return 'DateTime';
    case 'count':
      return 'Int';
    case 'switch':
      return 'Boolean';
    case 'secrets':
      return 'Secrets';
    default:
      return form satisfies never;
  }
}
