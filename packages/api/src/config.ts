import { commonVariables } from '@tidegate/process';
import * as z from 'zod';

/** What the API is told by its environment. */
export const variables = z.object({
  ...commonVariables,
  /** A JSON file of documents by their SHA-256: no others are answered. */
  PERSISTED_OPERATIONS_FILE: z.string().min(1).optional(),
});
