import { digest, equal, toBase64, toHex, utf8 } from './bytes.ts';
import { checkBase64 } from './check-base64.ts';
import { readContent } from './check-content.ts';
import { checkForm, KEY_PAIR } from './check-form.ts';
import { checkHeaders, type GivenHeaders, type ReadHeaders } from './check-headers.ts';
import { checkKeys } from './check-keys.ts';
import { checkOpened } from './check-opened.ts';
import { compareTexts } from './check-text.ts';
import type { RequestFields } from './fields.ts';
import { findMistakes } from './find-mistakes.ts';
import { type Finding, type Severity, type Step, wrong } from './finding.ts';
import { isOver, isReadable, type Opened, openSignature } from './open-signature.ts';
import type { Stamps } from './pairs.ts';
import type { RsaKey } from './rsa-key.ts';

export { readHttpRequest } from './read-http-request.ts';
export type { Finding, GivenHeaders, Severity, Step };

/** What is known about a refused request. The more is given, the better the diagnosis. */
export interface DoctorInput {
  headers?: GivenHeaders | undefined;
  /** For a POST: the body, if possible as the original bytes. */
  body?: string | Uint8Array | undefined;
  /**
   * For a GET: the whole URL, or its query string without `?`. If neither query nor body is given, the request is a GET
   * without parameters.
   */
  query?: string | undefined;
  /**
   * The text that the merchant's code signed, if it can print it. If nothing else is given, only its form is checked.
   */
  signedText?: string | undefined;
  /** The content that the service expected: `data.signedContent` in the sandbox's answer 40101. */
  serverContent?: string | undefined;
  /** The merchant's public key that is registered at the service, as PEM or base64 DER. */
  publicKey?: string | undefined;
  /** The private key that signed. Only its public half is used, and no part of it appears in the result. */
  privateKey?: string | undefined;
  /** The current time in Unix milliseconds. Without it the timestamp is not checked. */
  now?: number | undefined;
}

const MAX_BODY_BYTES = 64 * 1024;

/**
 * Finds out why the service refuses a request's signature: which step differs from decisions 2, how, and what to
 * change. It opens the signature with the public key, so it can recognise the signed text even if the merchant cannot
 * print it. In each step errors come first. The last finding is the verdict, unless the body is too large to be
 * examined. Runs in browsers and in Node, because it uses only standard JavaScript and the digests of Web Crypto. Never
 * rejects.
 */
export async function diagnose(input: DoctorInput): Promise<Finding[]> {
  if (isTextAlone(input)) {
    const findings = checkForm(input.signedText);
    return [...findings, verdict(findings, input, null)];
  }
  const content = contentOf(input);
  if ('body' in content && content.body.length > MAX_BODY_BYTES)
    return [
      wrong('body', `the body has ${content.body.length} bytes; the service takes ${MAX_BODY_BYTES}`, 'send less'),
    ];
  const headers = checkHeaders(input.headers ?? {}, 'body' in content, input.now);
  const { fields, findings: ofContent } = readContent(content);
  const { key, findings: ofKeys } = checkKeys(input);
  const findings = [...(input.headers ? headers.findings : []), ...ofContent, ...ofKeys];
  const { opened, findings: ofSignature } = await checkSignature(headers.signature, key);
  findings.push(...ofSignature);
  if (fields) findings.push(...(await checkSigned(input, fields, stampsOf(headers, input.signedText), opened)));
  return [...findings, verdict(findings, input, opened)];
}

function isTextAlone(input: DoctorInput): input is DoctorInput & { signedText: string } {
  const { headers, body, query, signedText, serverContent } = input;
  return (
    signedText !== undefined &&
    headers === undefined &&
    body === undefined &&
    query === undefined &&
    serverContent === undefined
  );
}

/** Timestamp and nonce from the headers. Without headers, those in the signed text. */
function stampsOf(headers: ReadHeaders, signedText: string | undefined): Stamps {
  if (signedText === undefined) return headers;
  const keyPair = KEY_PAIR.exec(signedText)?.[0];
  const stamps = keyPair === undefined ? headers : { ...headers, keyPair };
  if (headers.timestamp !== '' || headers.nonce !== '') return stamps;
  const timestamp = /(?:^|&)timestamp=([^&\s]*)/.exec(signedText)?.[1] ?? '';
  const nonce = /(?:^|&)nonce=([^&\s]*)/.exec(signedText)?.[1] ?? '';
  return { ...stamps, timestamp, nonce };
}

function contentOf({ body, query = '' }: DoctorInput): { body: Uint8Array } | { query: string } {
  if (body !== undefined) return { body: typeof body === 'string' ? utf8(body) : body };
  const mark = query.indexOf('?');
  const parameters = mark === -1 && /^https?:/.test(query) ? '' : query.slice(mark + 1);
  return { query: parameters.split('#', 1)[0] ?? '' };
}

/** `opened` is the signature after the RSA operation with the public key: the padding, and the signed digest. */
async function checkSignature(
  signature: string,
  key: RsaKey | null,
): Promise<{ opened: Opened | null; findings: Finding[] }> {
  if (signature === '') return { opened: null, findings: [] };
  const { bytes, findings } = checkBase64(signature);
  if (bytes === null || key === null) return { opened: null, findings };
  const opened = await openSignature(bytes, key);
  return { opened, findings: [...findings, ...checkOpened(opened, bytes, key)] };
}

/**
 * Finds out what was signed, and how it differs from what should be. It uses the signed text, or else the signature.
 */
async function checkSigned(
  { signedText, serverContent }: DoctorInput,
  fields: RequestFields,
  stamps: Stamps,
  opened: Opened | null,
): Promise<Finding[]> {
  const expected = fields.content(stamps.timestamp, stamps.nonce);
  const findings: Finding[] = [];
  if (serverContent !== undefined && serverContent !== expected)
    findings.push(
      wrong(
        'body',
        'the service received other fields than you entered',
        'sign and send the very same bytes: your HTTP library changes the body after it was signed',
        { expected, found: serverContent },
      ),
      ...compareTexts(serverContent, expected),
    );
  if (signedText !== undefined) {
    findings.push(...(await checkText(signedText, expected, fields, stamps)));
    if (opened && isReadable(opened) && !(await isOver(opened, utf8(signedText))))
      findings.push(
        wrong(
          'content',
          'the signature was not made over the text that you entered',
          'print the text right before it is signed',
        ),
      );
    return findings;
  }
  if (opened && isReadable(opened)) findings.push(...(await checkHash(opened, expected, fields, stamps)));
  return findings;
}

async function checkText(
  signedText: string,
  expected: string,
  fields: RequestFields,
  stamps: Stamps,
): Promise<Finding[]> {
  const bytes = utf8(signedText);
  const mistakes = await findMistakes(fields, stamps, (candidate) => equal(candidate, bytes));
  if (mistakes === null) return compareTexts(expected, signedText);
  return mistakes.map(({ step, what, fix }) => wrong(step, what, fix, { expected, found: signedText }));
}

async function checkHash(opened: Opened, expected: string, fields: RequestFields, stamps: Stamps): Promise<Finding[]> {
  const mistakes = await findMistakes(fields, stamps, (bytes) => isOver(opened, bytes));
  if (mistakes) return mistakes.map(({ step, what, fix }) => wrong(step, what, fix, { expected }));
  const hash = await digest('SHA-256', utf8(expected));
  for (const [name, text] of [
    ['hex', toHex(hash)],
    ['capital hex', toHex(hash).toUpperCase()],
    ['base64', toBase64(hash)],
  ] as const)
    if (await isOver(opened, utf8(text)))
      return [
        wrong(
          'digest',
          `the text was hashed twice: its SHA-256 in ${name} was signed`,
          'give the text itself to the signing function: it makes the digest',
          { expected },
        ),
      ];
  if (await isOver(opened, hash))
    return [
      wrong(
        'digest',
        'the text was hashed twice: its SHA-256 was signed',
        'give the text itself to the signing function: it makes the digest',
        { expected },
      ),
    ];
  const fix =
    'print the text that you sign and compare it with this one, or enter it here; check that the body is the very one that is sent, and that timestamp and nonce are those of the headers';
  return [
    wrong('content', 'the signature was made over another text, and no known mistake explains it', fix, { expected }),
  ];
}

function verdict(findings: readonly Finding[], input: DoctorInput, opened: Opened | null): Finding {
  const count = findings.filter(({ severity }) => severity === 'wrong').length;
  if (count > 0)
    return {
      step: 'signature',
      severity: 'hint',
      what: `${count} ${count === 1 ? 'thing is' : 'things are'} wrong: put ${count === 1 ? 'it' : 'them'} right in the order above`,
    };
  if (opened)
    return {
      step: 'signature',
      severity: 'right',
      what: 'the signature is valid. If the service still refuses it, your registered public key or merchant number is another one',
    };
  if (input.signedText !== undefined)
    return {
      step: 'signature',
      severity: 'right',
      what: 'no mistake was found in the text. Enter the whole request and the public key to check the signature',
    };
  return {
    step: 'signature',
    severity: 'hint',
    what: 'without the public key and X-Sign, or the text that was signed, only the form can be checked',
  };
}
