import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

// A sealed box in the manner of HPKE with a pre-shared key (RFC 9180, mode_psk): X25519, HKDF-SHA256 and AES-256-GCM.
// Its writer needs the public half of a key. The pre-shared key proves that the writer has keys of the service: without
// it, who can write to the database could seal credentials of their own.

/** Material of a key that only seals: the public key, then the pre-shared key. */
const halfLength = 32;
const pkcs8 = Buffer.from('302e020100300506032b656e04220420', 'hex');
const spki = Buffer.from('302a300506032b656e032100', 'hex');

/** What seals: the public key and the pre-shared key of 32 secret bytes. They do not tell these bytes. */
export function publicHalfOf(secret: Buffer): Buffer {
  return Buffer.concat([rawOf(createPublicKey(privateKeyOf(secret))), preSharedKeyOf(secret)]);
}

/** Seals for the holder of the secret bytes. `place` is authenticated: a sealed text opens nowhere else. */
export function sealBox(half: Buffer, text: string, place: Buffer): Buffer {
  const [publicKey, preShared] = [half.subarray(0, halfLength), half.subarray(halfLength)];
  const ephemeral = generateKeyPairSync('x25519');
  const sender = rawOf(ephemeral.publicKey);
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: publicKeyOf(publicKey) });
  return Buffer.concat([sender, encrypt(keyOf(shared, preShared, sender, publicKey), text, place)]);
}

/** What opens boxes, made once for each key. */
export function boxOpener(secret: Buffer): (sealed: Buffer, place: Buffer) => string {
  const privateKey = privateKeyOf(secret);
  const publicKey = rawOf(createPublicKey(privateKey));
  const preShared = preSharedKeyOf(secret);
  return (sealed, place) => {
    const sender = sealed.subarray(0, halfLength);
    const shared = diffieHellman({ privateKey, publicKey: publicKeyOf(sender) });
    return decrypt(keyOf(shared, preShared, sender, publicKey), sealed.subarray(halfLength), place);
  };
}

/** AES-256-GCM: nonce, text, tag. */
export function encrypt(key: Buffer, text: string, place: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(place);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the text was changed or shortened, or sealed for another place. */
export function decrypt(key: Buffer, sealed: Buffer, place: Buffer): string {
  // Without its length, a shorter tag of a shortened text would be accepted, which is easier to guess.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(place);
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8');
}

function keyOf(shared: Buffer, preShared: Buffer, sender: Buffer, receiver: Buffer): Buffer {
  const context = Buffer.concat([Buffer.from('tidegate box'), sender, receiver]);
  return Buffer.from(hkdfSync('sha256', shared, preShared, context, 32));
}

function preSharedKeyOf(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'tidegate pre-shared key', 32));
}

function privateKeyOf(raw: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8, raw]), format: 'der', type: 'pkcs8' });
}

function publicKeyOf(raw: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([spki, raw]), format: 'der', type: 'spki' });
}

function rawOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-halfLength);
}
