/** Whether a key of a key file was made up, not drawn. */
export function hasPatternedKey(keys: string): boolean {
  const materials = keys.split('\n').flatMap((line) => /^\w+ \w+ \w+ \w+ (\S+)$/.exec(line.trim())?.[1] ?? []);
  return materials.some((material) => isPatterned(Buffer.from(material, 'base64url')));
}

/**
 * Whether 32 bytes look typed or copied from an example, not random. Random bytes do not count up or down, and at least 20
 * of 32 differ; by chance fewer than 20 differ once in 7,000,000,000 keys.
 */
function isPatterned(key: Uint8Array): boolean {
  const bytes = [...key];
  const steps = new Set(bytes.slice(1).map((byte, at) => (byte - (bytes[at] ?? 0)) & 0xff));
  return new Set(bytes).size < 20 || steps.size < 8;
}
