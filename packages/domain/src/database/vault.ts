import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Uses of the service's one secret: to seal secrets in the database, to hash what is searched there, and to make tokens
 * that cannot be forged.
 */
export interface Vault {
  /** AES-256-GCM. `context` binds the sealed text to its place. */
  seal(text: string, context: string): Buffer;
  /** Throws if the text was changed or shortened, or sealed for another place. */
  open(sealed: Uint8Array, context: string): string;
  /** A token of 32 characters for `subject`. */
  tokenOf(purpose: string, subject: string): string;
  /** A keyed hash of 22 characters, by which text can be found but not read. */
  hashOf(purpose: string, text: string): string;
}

export interface VaultAccess {
  vault: Vault;
}

/** `secret`: 32 bytes as 64 hexadecimal digits. Throws on anything else. */
export function openVault(secret: string): Vault {
  if (!/^[0-9a-fA-F]{64}$/.test(secret))
    throw new Error('TIDEGATE_SECRET must be 64 hexadecimal digits (openssl rand -hex 32)');
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', purpose, 32));
  const sealing = derive('seal');
  const signing = derive('token');
  const hashing = derive('search');
  return {
    seal: (text, context) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(context));
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed);
      // Without its length, a shorter tag of a shortened text would be accepted, which is easier to guess.
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
    },
    tokenOf: (purpose, subject) =>
      createHmac('sha256', signing).update(`${purpose}\n${subject}`).digest('base64url').slice(0, 32),
    hashOf: (purpose, text) =>
      createHmac('sha256', hashing).update(`${purpose}\n${text}`).digest('base64url').slice(0, 22),
  };
}
