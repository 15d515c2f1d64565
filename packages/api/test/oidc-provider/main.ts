import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import Provider from 'oidc-provider';

// An identity provider as a process of its own. Everybody is let in by any name, and has the roles that the name lists:
// `ann:viewer+support`. Names that begin with `hostile-` get an ID token that is wrong in that way.

const redirectUri = process.env.REDIRECT_URI ?? '';
const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const foreign = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' };
const nonces = new Map<string, unknown>();

/** The ID token of a hostile name, changed and signed again. */
async function bend(idToken: string): Promise<string> {
  const claims = decodeJwt(idToken);
  const [how = ''] = String(claims.sub).split(':');
  const sign = (changed: JWTPayload, key = privateKey) =>
    new SignJWT(changed).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key);
  switch (how) {
    case 'hostile-audience':
      return sign({ ...claims, aud: 'another-client' });
    case 'hostile-issuer':
      return sign({ ...claims, iss: 'https://evil.example' });
    case 'hostile-key':
      return sign(claims, foreign.privateKey);
    case 'hostile-expired':
      return sign({ ...claims, iat: 1, exp: 2 });
    case 'hostile-nonce': {
      // The first ID token has the right nonce. Later tokens repeat that nonce.
      const first = nonces.get(how) ?? claims.nonce;
      nonces.set(how, first);
      return sign({ ...claims, nonce: first });
    }
    default:
      return idToken;
  }
}

const server = createServer();
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: 'console', client_secret: process.env.CLIENT_SECRET, redirect_uris: [redirectUri] }],
  jwks: { keys: [jwk] },
  cookies: { keys: ['a test'] },
  pkce: { required: () => true },
  conformIdTokenClaims: false,
  claims: { openid: ['sub'], profile: ['name', 'roles'] },
  findAccount: (_context: unknown, sub: string) => ({
    accountId: sub,
    claims: () => ({ sub, name: sub.split(':')[0], roles: sub.split(':')[1]?.split('+') ?? [] }),
  }),
});
provider.use(async (context, next) => {
  await next();
  const { body } = context;
  if (context.path === '/token' && typeof body === 'object' && body !== null && 'id_token' in body)
    context.body = { ...body, id_token: await bend(String(body.id_token)) };
});
server.on('request', provider.callback());
console.log(JSON.stringify({ issuer }));
