// What the fakes of the providers share. Adapters never import it.
export { fromCents, toCents } from './cents.ts';
export { type Fate, fateOf } from './fate.ts';
export type { Fault } from './faults.ts';
export type { FakeOptions, ProviderFake, RunningFake } from './provider-fake.ts';
export { type FakeServer, openFakeServer } from './server.ts';
export {
  type StatementFaults,
  setStatementFaults,
  withFault,
} from './statement-faults.ts';
export { openStore, type Store } from './store.ts';
export type { SentWebhook, Webhook } from './webhooks.ts';
export { makeZip } from './zip.ts';
