import { lexicographicSortSchema, printSchema } from 'graphql';
import { builder } from './builder.ts';
import './scalars.ts';
import './order/order-query.ts';

/** The whole schema; every noun's files above add to it. */
export const schema = builder.toSchema();

/** Where the printed schema is kept for those who use it. */
export const schemaFile = new URL('../schema.graphql', import.meta.url);

/** The text of `schema.graphql`. */
export function printApiSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
