export { closeConnectionsAtEnd } from './close-connections.ts';
export { type DrainOptions, drainOnSignal } from './drain.ts';
export { commonVariables, drainNoticeMs, environmentOrExit, readEnvironment } from './environment.ts';
export { addHealthRoutes, type Dependencies } from './health.ts';
export { makeLog } from './log.ts';
export { addMetricsRoute } from './metrics-route.ts';
export { openDomainOrExit } from './open-domain-or-exit.ts';
