// What other folders of the domain may import.

export {
  creditCase,
  creditCommand,
  endingCommand,
  endOutgoingCase,
  type ReturnWay,
  resolveCommand,
  resolveRefund,
  returnCase,
  returnWays,
} from './close-case.ts';
export { loadMoneyCases } from './load-money-cases.ts';
