import { type Command, merchantOf, namedOrder } from '../core/commands.ts';
import type { SpanAttributes, Tracer } from '../core/tracer.ts';
import type { Commit } from './writer.ts';

/** The ledger writer with a span for each traced command. The rows that the command writes carry the span on. */
export function traceCommits(commit: Commit, tracer: Tracer): Commit {
  return (command) =>
    tracer.span({ name: `commit ${command.type}`, attributes: attributesOf(command) }, async (report) => {
      const traceparent = tracer.current();
      const result = await commit(traceparent === null ? command : { ...command, traceparent });
      if (!result.ok) report({ 'tidegate.rejection': result.rejection });
      else if (result.order) report({ 'tidegate.order_status': result.order.status });
      return result;
    });
}

function attributesOf(command: Command): SpanAttributes {
  const ref = 'order' in command ? command.order : namedOrder(command);
  return { 'tidegate.merchant_no': merchantOf(command), ...(ref && { 'tidegate.order_no': ref.orderNo }) };
}
