/**
 * Decodes standard base64 with padding, in the one form that an encoder writes (decisions 2.1). Returns `null` for
 * anything else: the url-safe alphabet, missing padding, white space, or unused bits that are not zero.
 */
export function decodeBase64Strict(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
