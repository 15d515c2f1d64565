import type { ZodNullable, ZodOptional, ZodType } from 'zod';

/** How an argument is checked that may be left out, by the form of a part of the domain's filters. */
export function given<Form extends ZodType>(part: ZodOptional<ZodNullable<Form>>): { schema: Form } {
  return { schema: part.unwrap().unwrap() };
}
