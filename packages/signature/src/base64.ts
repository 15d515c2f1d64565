/**
 * Decodes standard base64 with padding, exactly as an encoder writes it (decisions 2.1); `null` for anything else: the
 * url-safe alphabet, missing padding, white space, bits after the last byte that are not zero.
 */
export function decodeBase64Strict(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
