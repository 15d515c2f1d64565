import type { Connection } from './client-options.ts';
import { errorOf } from './errors/error-of.ts';
import { exchange } from './exchange.ts';
import { waitBefore } from './wait.ts';

/**
 * Sends a read. It may be repeated after any outcome. Rejects with the ApiError of a refusal, or with the last
 * attempt's error.
 */
export async function read(
  connection: Connection,
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
  signal?: AbortSignal,
): Promise<object> {
  const query = queryOf(parameters);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await exchange(connection, { path, query }, signal);
    switch (outcome.kind) {
      case 'done':
        return outcome.data;
      case 'refused':
        throw errorOf(outcome.refusal);
      case 'not now':
      case 'lost':
        if (attempt >= connection.attempts) throw outcome.refusal ? errorOf(outcome.refusal) : outcome.error;
        await waitBefore(attempt + 1, outcome.refusal?.retryAfterSeconds ?? null, signal);
        break;
      default:
        outcome satisfies never;
    }
  }
}

function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}
