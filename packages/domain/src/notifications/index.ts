// What other folders of the domain may import.

export type { DeliveryAccess } from './deliveries.ts';
export type { AttemptRecord } from './list-attempts.ts';
export { retriedNotification } from './list-notifications.ts';
export { pauseNotifications } from './pause-notifications.ts';
