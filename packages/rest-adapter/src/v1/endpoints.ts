import type { Endpoint } from './endpoint.ts';
import { payinCreate } from './payin-create.ts';
import { payinQuery } from './payin-query.ts';

/** Every signed operation: a new one is a file and a row here. */
export const endpoints: readonly Endpoint[] = [payinCreate, payinQuery];
