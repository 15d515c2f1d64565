import type { CombinedError } from '@urql/core';
import { asSentence, plainWords } from './words.ts';

// The one place that turns errors into sentences for people. Messages of libraries are never shown.

/** What is wrong with a field, as the API says it. */
export interface FieldProblem {
  readonly path: string;
  readonly reason: string;
}

interface Extensions {
  readonly code?: string;
  readonly fields?: readonly FieldProblem[];
  readonly requestId?: string;
}

/** Codes whose messages the service wrote for people. */
const WRITTEN = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'TOO_MANY_REQUESTS',
  'REQUEST_TOO_LARGE',
]);

/** The error, as sentences for people. */
export function messageOf(error: CombinedError): string {
  if (error.graphQLErrors.length > 0) return [...new Set(error.graphQLErrors.map(sentenceOf))].join('\n');
  const status = (error.response as Response | undefined)?.status;
  if (status === undefined) return 'The service cannot be reached. Check your network and try again.';
  return `The service answered with an error (${status}). Try again.`;
}

/** The refused fields of an error; none if it is about something else. */
export function fieldsOf(error: CombinedError | undefined): readonly FieldProblem[] {
  return error?.graphQLErrors.flatMap(({ extensions }) => (extensions as Extensions).fields ?? []) ?? [];
}

/** What is wrong with a field, in a sentence that names it: `Amount must be more than 0.` */
export function fieldSentence({ path, reason }: FieldProblem): string {
  const name = path
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .at(-1);
  return asSentence(`${plainWords(name ?? '')} ${reason}`.trim());
}

function sentenceOf({ message, extensions }: { message: string; extensions: object }): string {
  const { code = '', fields = [], requestId } = extensions as Extensions;
  if (fields.length > 0) return fields.map(fieldSentence).join('\n');
  if (WRITTEN.has(code)) return asSentence(message);
  const more = requestId === undefined ? '' : ` If it happens again, give the request id ${requestId} to support.`;
  if (code === 'SERVICE_UNAVAILABLE') return 'The service is busy or restarts. Try again in a moment.';
  if (code === 'INTERNAL' || code === 'REQUEST_TIMEOUT') return `The service failed. Try again.${more}`;
  return `The service does not accept what this page sent. Check what you typed, or reload the page.${more}`;
}
