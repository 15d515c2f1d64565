import type { Notification } from './notification.ts';
import {
  type Delivery,
  type NotificationRules,
  type VerificationFailure,
  verifyNotification,
} from './verify-notification.ts';

/**
 * Your own code. It may be called several times with the same notification. If it rejects, the service delivers again.
 */
export type OnNotification = (notification: Notification) => Promise<void> | void;

/** Why a delivery was not acknowledged, for your log. */
export type NotificationProblem =
  | { kind: 'not verified'; reason: VerificationFailure; detail: string }
  | { kind: 'not checked'; error: unknown }
  | { kind: 'handler failed'; error: unknown; notification: Notification };

export interface ReceiverOptions extends NotificationRules {
  onNotification: OnNotification;
  /**
   * Called for every delivery that is not acknowledged. By default, a line without the order's data goes to standard
   * error.
   */
  onProblem?: ((problem: NotificationProblem) => void) | undefined;
}

export interface Reply {
  status: 200 | 401 | 413 | 500 | 503;
  /** The text of the answer. `OK` acknowledges the notification. */
  text: string;
}

/** The largest body that is read. Real notifications have less than 2 KiB. */
export const MAX_NOTIFICATION_BYTES = 64 * 1024;

/**
 * Verifies a delivery, passes it to your code, and answers `OK` when that has finished. Every other answer makes the
 * service deliver again (decisions 7.4, 7.5): 401 if the delivery is not authentic, 503 if it could not be checked, 500
 * if your code failed. Never rejects. The service waits 10 seconds for the answer, so do longer work elsewhere.
 */
export async function receiveNotification(delivery: Delivery, options: ReceiverOptions): Promise<Reply> {
  const report = options.onProblem ?? logProblem;
  if (delivery.body.byteLength > MAX_NOTIFICATION_BYTES) return TOO_LARGE;
  const verified = await verifyNotification(delivery, options).catch((error: unknown) => ({ error }));
  if ('error' in verified) {
    report({ kind: 'not checked', error: verified.error });
    return { status: 503, text: 'not checked' };
  }
  if (!verified.ok) {
    const { reason, detail } = verified;
    report({ kind: 'not verified', reason, detail });
    return { status: 401, text: `not verified: ${reason}` };
  }
  const { notification } = verified;
  try {
    await options.onNotification(notification);
    return { status: 200, text: 'OK' };
  } catch (error) {
    report({ kind: 'handler failed', error, notification });
    return { status: 500, text: 'failed' };
  }
}

export const TOO_LARGE: Reply = { status: 413, text: 'too large' };

function logProblem(problem: NotificationProblem): void {
  const what = problem.kind === 'not verified' ? `${problem.reason}: ${problem.detail}` : String(problem.error);
  console.error(`tidegate notification ${problem.kind}: ${what}`);
}
