import { Baseline } from './0001-baseline.ts';

/**
 * The migrations in the order of their execution. A released migration never changes, nor does its name, which
 * databases store. Add the next one at the end, with the next number.
 */
export const migrations = [{ name: '0001-baseline', class: Baseline }];
