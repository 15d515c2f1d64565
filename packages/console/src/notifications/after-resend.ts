interface Resent {
  matched: number;
  resent: number;
  repeated: boolean;
}

/**
 * What to tell an operator who sent notifications again. `where`: a sentence on where the attempts appear. Notifications that
 * wait for an attempt, or have one under way, are left as they are.
 */
export function afterResend({ matched, resent, repeated }: Resent, where: string): string {
  if (repeated) return 'This request was already carried out.';
  const left = matched - resent;
  if (left === 0) return `Sent again: ${resent}. ${where}`;
  return `Sent again: ${resent}. Left as they are: ${left}, because an attempt waits or is under way. ${where}`;
}
