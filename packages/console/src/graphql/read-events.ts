/** The data of each `next` event of a stream of server-sent events. `onBytes` is called whenever bytes arrive. */
export async function* readEvents(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let buffer = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      onBytes();
      buffer = (buffer + value).replaceAll('\r\n', '\n');
      const events = buffer.split('\n\n');
      buffer = events.pop() ?? '';
      for (const event of events) {
        const { name, data } = readEvent(event);
        if (name === 'complete') return;
        if (name === 'next' && data !== '') yield data;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readEvent(text: string): { name: string; data: string } {
  const values = (field: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  return { name: values('event')[0] ?? 'message', data: values('data').join('\n') };
}
