import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: Buffer;
  content: Buffer;
  /** What the directory says instead of the truth. */
  says?: { size?: number; flags?: number };
}

/** A zip file. */
export function writeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, says = {} } of entries) {
    const packed = deflateRawSync(content);
    const local = header(name, content, packed, says);
    locals.push(Buffer.concat([numbers([4, 0x04034b50]), local, name, packed]));
    const attributes = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(Buffer.concat([numbers([4, 0x02014b50], [2, 20]), local, attributes, name]));
    offset += locals.at(-1)?.length ?? 0;
  }
  const central = Buffer.concat(directory);
  const count = entries.length;
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, central.length],
    [4, offset],
    [2, 0],
  );
  return Buffer.concat([...locals, central, end]);
}

function header(
  name: Buffer,
  content: Buffer,
  packed: Buffer,
  { size = content.length, flags = 0 }: ZipEntry['says'] & object,
) {
  const sizes = numbers([4, crc32(content)], [4, packed.length], [4, size]);
  return Buffer.concat([
    numbers([2, 20], [2, flags], [2, 8], [2, 0], [2, 0x21]),
    sizes,
    numbers([2, name.length], [2, 0]),
  ]);
}

/** Little-endian numbers: how many bytes, and the value. */
function numbers(...values: readonly [bytes: 2 | 4, value: number][]): Buffer {
  return Buffer.concat(
    values.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}
