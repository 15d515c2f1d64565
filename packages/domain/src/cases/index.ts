// What other capabilities take from this one.

export { creditCase, returnCase } from './close-case.ts';
