import { parse, validate } from 'graphql';
import { schema } from '../schema/schema.ts';
import { graphiqlExamples } from './graphiql-examples.ts';

/**
 * Validates the examples and the console's `operations` before the first request comes. What a process does for the
 * first time is slow: on a busy machine its first document would not be validated within the time limit.
 */
export function validateFirst(operations: Iterable<string> = []): void {
  const examples = graphiqlExamples(Date.now()).map(({ query }) => query);
  for (const text of [...examples, ...operations]) validate(schema, parse(text));
}
