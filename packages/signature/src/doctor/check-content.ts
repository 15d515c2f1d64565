import { MalformedRequest } from '../content.ts';
import { fieldsOfBody, fieldsOfQuery, type RequestFields } from './fields.ts';
import { type Finding, type Step, wrong } from './finding.ts';

/** Parses the body or query as the service does, and explains an error. */
export function readContent(content: { body: Uint8Array } | { query: string }): {
  fields: RequestFields | null;
  findings: Finding[];
} {
  const step: Step = 'body' in content ? 'body' : 'query';
  try {
    return { fields: 'body' in content ? fieldsOfBody(content.body) : fieldsOfQuery(content.query), findings: [] };
  } catch (error) {
    if (!(error instanceof MalformedRequest)) throw error;
    const text = 'body' in content ? new TextDecoder().decode(content.body) : content.query;
    const known = EXPLAINED[step].find(({ isIt }) => isIt(text, error.message, content));
    const findings = [
      wrong(step, known?.what ?? `the ${step} is malformed: ${error.message}`, known?.fix ?? FIXES[step]),
    ];
    const inner = known?.inner?.(text);
    return inner ? { fields: readContent({ body: inner }).fields, findings } : { fields: null, findings };
  }
}

const FIXES = {
  body: 'send one JSON object, as a JSON library writes it',
  query: 'percent-encode names and values (UTF-8), each name once',
};

interface Explained {
  isIt(text: string, message: string, content: { body: Uint8Array } | { query: string }): boolean;
  what: string;
  fix: string;
  /** Guesses what was meant, so that the diagnosis can continue. */
  inner?(text: string): Uint8Array;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const EXPLAINED: Record<'body' | 'query', readonly Explained[]> = {
  body: [
    {
      isIt: (text) => /^\s*"\s*\{[\s\S]*\}\s*"\s*$/.test(text) && unwrapped(text) !== null,
      what: 'the body is JSON inside of a JSON string: it was encoded twice',
      fix: 'encode the object once (a text given to an HTTP library as "json" is encoded again: give it as the raw body)',
      inner: (text) => encode(unwrapped(text) ?? ''),
    },
    {
      isIt: (_, __, content) =>
        'body' in content && content.body[0] === 0xef && content.body[1] === 0xbb && content.body[2] === 0xbf,
      what: 'the body begins with a byte order mark',
      fix: 'write UTF-8 without BOM',
      inner: (text) => encode(text.replace(/^\ufeff/, '')),
    },
    {
      isIt: (_, message) => message === 'body is not valid UTF-8',
      what: 'the body is not UTF-8 (GBK, Latin-1 or UTF-16?)',
      fix: 'encode the body in UTF-8 before it is sent',
    },
    { isIt: (text) => text.trim() === '', what: 'the body is empty', fix: 'send the fields as a JSON object' },
    {
      isIt: (text) => /^[\w.%[\]-]+=[^&]*(?:&[\w.%[\]-]+=[^&]*)*$/.test(text.trim()),
      what: 'the body is a form (a=b&c=d), not JSON',
      fix: 'send a JSON object with Content-Type: application/json',
    },
    {
      isIt: (text, message) => message.startsWith('body is not valid JSON') && /^\s*\{\s*'/.test(text),
      what: 'the body has single quotes: it is the print of a Python or JavaScript object, not JSON',
      fix: 'write it with a JSON library (json.dumps, JSON.stringify)',
    },
    {
      isIt: (text) => text.trimStart().startsWith('['),
      what: 'the body is an array',
      fix: 'send one object; each order is a request of its own',
    },
    {
      isIt: (_, message) => /^key "[^.[\]]*[.[\]]/.test(message) && message.endsWith('" is not allowed'),
      what: 'a key of the body holds a dot or a bracket: the path of the signature was taken for a name',
      fix: 'nest it: {"extJson": {"accountNo": "…"}}, not {"extJson.accountNo": "…"}',
    },
    {
      isIt: (_, message) => message.endsWith('is reserved'),
      what: 'the body has a field called timestamp, nonce or sign',
      fix: 'take it out of the body: these are headers, and are added to what is signed only',
    },
    {
      isIt: (_, message) => /has more than \d+ (values|fields|KiB)$/.test(message),
      what: 'the body has more fields or values than the service takes: 560 fields, 2,048 values, 128 KiB to sign',
      fix: 'send only the fields of the interface; lists of your own belong into your own system',
    },
    {
      isIt: (_, message) => message.endsWith('appears twice'),
      what: 'a key appears twice in the body',
      fix: 'write each key once: readers disagree on which of the two counts',
    },
  ],
  query: [
    {
      isIt: (_, message) => message.endsWith('is reserved'),
      what: 'the query has a parameter called timestamp, nonce or sign',
      fix: 'send them as headers: X-Timestamp, X-Nonce, X-Sign',
    },
    {
      isIt: (_, message) => message.endsWith('appears twice'),
      what: 'a parameter appears twice',
      fix: 'send each parameter once',
    },
    {
      isIt: (_, message) => message.includes('must be percent-encoded'),
      what: 'the query holds characters that are not allowed in a URL',
      fix: 'percent-encode names and values (UTF-8); sign them decoded',
    },
  ],
};

function unwrapped(text: string): string | null {
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === 'string' ? inner : null;
  } catch {
    return null;
  }
}
