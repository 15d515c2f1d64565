import { commonVariables } from '@tidegate/process';
import * as z from 'zod';

/** What the API is told by its environment. */
export const variables = z.object(commonVariables);
