import { StatementUnreadable } from '@tidegate/domain/reconciliation';
import { SaxesParser } from 'saxes';
import { peek } from '../reading/bytes.ts';
import type { Limits } from '../reading/limits.ts';
import { startText } from '../reading/start.ts';
import { decodeText } from '../reading/text.ts';

/** An element that was read. Names are without their prefix. */
export interface XmlNode {
  name: string;
  /** The attribute `Ccy`. */
  currency: string | null;
  text: string;
  children: XmlNode[];
}

export type XmlEvent =
  | { kind: 'open'; name: string; currency: string | null; namespace: string | null }
  | { kind: 'text'; text: string }
  | { kind: 'close' };

/** The first element at the end of a path. */
export function nodeAt(node: XmlNode, ...path: readonly string[]): XmlNode | null {
  let found: XmlNode | undefined = node;
  for (const name of path) found = found?.children.find((child) => child.name === name);
  return found ?? null;
}

/** The text at the end of a path, without outer white space; empty if there is none. */
export function textAt(node: XmlNode, ...path: readonly string[]): string {
  return nodeAt(node, ...path)?.text.trim() ?? '';
}

/**
 * Reads the events of an XML file in order, a part at a time. A document type is refused, because only a document type
 * can declare entities. Throws StatementUnreadable for XML that is not well formed, ends too early, or has a part that
 * is too long.
 */
export async function* xmlEvents(
  bytes: AsyncIterable<Uint8Array>,
  limits: Limits,
): AsyncGenerator<readonly XmlEvent[]> {
  const { first, all } = await peek(bytes, 256);
  const events: XmlEvent[] = [];
  const parser = openParser(events);
  let since = 0;
  for await (const text of decodeText(all, encodingOf(first))) {
    // The parser keeps an unfinished part, for example the text of an element, in memory.
    for (let at = 0; at < text.length; at += pieceLength) {
      const piece = text.slice(at, at + pieceLength);
      parser.write(piece);
      since = events.length > 0 ? 0 : since + piece.length;
      if (since > limits.rowLength)
        throw new StatementUnreadable('too_large', `longer than ${limits.rowLength} characters`, parser.line);
      if (events.length > 0) yield events.splice(0);
    }
  }
  parser.close();
  yield events.splice(0);
}

const pieceLength = 8 * 1024;

function openParser(events: XmlEvent[]): SaxesParser {
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw new StatementUnreadable('damaged', 'the XML is not well formed', parser.line);
  });
  parser.on('doctype', () => {
    throw new StatementUnreadable('other_format', 'a document type is not allowed', parser.line);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const [prefix, local] = name.includes(':') ? name.split(':', 2) : ['', name];
    const namespace = attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`];
    events.push({ kind: 'open', name: local ?? name, currency: attributes.Ccy ?? null, namespace: namespace ?? null });
  });
  parser.on('text', (text) => void events.push({ kind: 'text', text }));
  parser.on('cdata', (text) => void events.push({ kind: 'text', text }));
  parser.on('closetag', () => void events.push({ kind: 'close' }));
  return parser;
}

/** The text of the first bytes; empty if it is not XML. Names and namespaces are the same in each single-byte encoding. */
export function textOfXml(start: Uint8Array): string {
  const isWide = start[0] === 0xff || start[0] === 0xfe;
  const text = startText(start, isWide ? (start[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8');
  return text.trimStart().startsWith('<') ? text : '';
}

const encodings: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'iso-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  gb2312: 'gbk',
  gbk: 'gbk',
  gb18030: 'gb18030',
  'tis-620': 'windows-874',
  'iso-8859-11': 'windows-874',
  'windows-874': 'windows-874',
};

/** The encoding by the byte order mark, else as declared, else UTF-8. */
function encodingOf(first: Uint8Array): string {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be';
  const start = Buffer.from(first).toString('latin1');
  const declared = /^(?:ï»¿)?<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  const known = encodings[declared.toLowerCase()];
  if (known === undefined) throw new StatementUnreadable('other_format', 'the encoding is not supported', 1);
  return known;
}
