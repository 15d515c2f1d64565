// What other folders of the domain may import.

export { creditCase, creditCommand, returnCase } from './close-case.ts';
export { loadMoneyCases } from './load-money-cases.ts';
