export { openRequestCost, type RequestCost, routesOf, type SentRequest } from './testing/request-cost.ts';
