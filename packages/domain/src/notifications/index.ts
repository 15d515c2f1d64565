// What other capabilities take from this one.

export type { DeliveryAccess } from './deliveries.ts';
export type { AttemptRecord } from './list-attempts.ts';
export { pauseNotifications } from './pause-notifications.ts';
export type { Resent } from './request-resend.ts';
export { resendNotification } from './resend-notification.ts';
export { resendNotifications } from './resend-notifications.ts';
