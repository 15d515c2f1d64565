/**
 * A dependency answers, but the process must not work with it as it is. `/readyz` and the log show the message, which says
 * what to change.
 */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}
