export { drainOnSignal } from './drain.ts';
export { commonVariables, environmentOrExit, readEnvironment } from './environment.ts';
export { addHealthRoutes, type Dependencies } from './health.ts';
export { makeLog } from './log.ts';
export { addMetricsRoute } from './metrics-route.ts';
