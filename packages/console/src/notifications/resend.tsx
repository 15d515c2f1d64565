import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { notificationStateWords, orderStatusWords } from '../format/words.ts';
import {
  type NotificationRowFragment,
  ResendNotificationDocument,
  ResendNotificationsDocument,
  type ResendNotificationsInput,
} from '../generated/documents.generated.ts';
import { Status } from '../parts/status.tsx';
import { afterResend } from './after-resend.ts';

/** Sends one notification again. */
export function resendOne({ orderNo, host, status, state, version }: NotificationRowFragment): Action {
  return defineAction({
    operation: 'resendNotification',
    document: ResendNotificationDocument,
    label: 'Send again',
    subject: orderNo,
    before: (
      <Before
        values={{
          Order: orderNo,
          Reports: <Status word={orderStatusWords[status]} />,
          Host: host,
          State: <Status word={notificationStateWords[state]} />,
        }}
      />
    ),
    expectedVersion: version,
    toInput: (_values, requestKey) => ({ orderNo, status, requestKey }),
    after: (result) => afterResend(result, 'The attempts appear with the order.'),
  });
}

/** Sends all notifications again that were counted before. */
export function resendMany(input: Omit<ResendNotificationsInput, 'requestKey'>, count: number): Action {
  return defineAction({
    operation: 'resendNotifications',
    document: ResendNotificationsDocument,
    label: `Send ${count} again`,
    subject: input.merchantId,
    before: (
      <Before values={{ Merchant: input.merchantId, Host: input.host ?? 'all', 'Will be sent': `${count} now` }} />
    ),
    toInput: (_values, requestKey) => ({ ...input, requestKey }),
    after: (result) => afterResend(result, 'This list shows how it goes.'),
  });
}
