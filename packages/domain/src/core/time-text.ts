/** A moment (Unix ms) as people and audit records read it, in UTC; null stays null. */
export function timeText(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
