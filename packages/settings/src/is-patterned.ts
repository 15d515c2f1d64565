/**
 * Whether 64 hexadecimal digits were typed or copied from an example instead of generated. Of 32 random bytes at least
 * 20 differ (all but one in 7,000,000,000 times), and they do not count up or down.
 */
export function isPatterned(secret: string): boolean {
  const bytes = [...Buffer.from(secret, 'hex')];
  const steps = new Set(bytes.slice(1).map((byte, at) => (byte - (bytes[at] ?? 0)) & 0xff));
  return new Set(bytes).size < 20 || steps.size < 8;
}
