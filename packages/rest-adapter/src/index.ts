export { type Metrics, openMetrics } from './metrics.ts';
export { type RestDomain, restDomainOf } from './rest-domain.ts';
export { buildServer, type ServerParts } from './server.ts';
