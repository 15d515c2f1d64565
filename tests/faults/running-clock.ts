const EVERY_MS = 20;
/** A longer gap between two ticks is a stall: no timer of a busy process is this late. */
const STALL_MS = 250;

/** Milliseconds in which this process ran. */
export interface RunningClock {
  now(): number;
  close(): void;
}

/**
 * A clock that stops while this process does not run: because the machine was paused, other processes took
 * every core, or code here did not yield. A time limit of the service is measured with it, because an answer that
 * waits in the socket of a stalled process is not late.
 */
export function openRunningClock(): RunningClock {
  let last = performance.now();
  let stalledMs = 0;
  const tick = (): number => {
    const now = performance.now();
    if (now - last > STALL_MS) stalledMs += now - last - EVERY_MS;
    last = now;
    return now - stalledMs;
  };
  const timer = setInterval(tick, EVERY_MS);
  return { now: tick, close: () => clearInterval(timer) };
}
