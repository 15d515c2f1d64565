// What other folders of the domain may import.

export { creditCase, returnCase } from './close-case.ts';
