// What other capabilities take from this one.

export type { DeliveryAccess } from './deliveries.ts';
export type { AttemptRecord } from './list-attempts.ts';
export { pauseNotifications } from './pause-notifications.ts';
