import type { ZodNullable, ZodOptional, ZodType } from 'zod';

/** The schema of an optional argument, made from a part of the domain's filters. */
export function given<Form extends ZodType>(part: ZodOptional<ZodNullable<Form>>): { schema: Form } {
  return { schema: part.unwrap().unwrap() };
}
