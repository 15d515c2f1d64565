/**
 * Whether 64 hexadecimal digits look typed or copied from an example, not random. Random bytes do not count up or down,
 * and at least 20 of 32 differ; by chance fewer than 20 differ once in 7,000,000,000 secrets.
 */
export function isPatterned(secret: string): boolean {
  const bytes = [...Buffer.from(secret, 'hex')];
  const steps = new Set(bytes.slice(1).map((byte, at) => (byte - (bytes[at] ?? 0)) & 0xff));
  return new Set(bytes).size < 20 || steps.size < 8;
}
