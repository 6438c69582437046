import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';

interface Checked<Value> {
  readonly value: Value;
  /** Where the value of a path begins; for a missing one, what should hold it. From 1. */
  lineOf(path: readonly PropertyKey[]): number;
}

/**
 * Reads a file that a user wrote, YAML or JSON.
 * @throws TypeError with a sentence that names the line, and quotes nothing of the file.
 */
export function readChecked<Value>(text: string, schema: z.ZodType<Value>): Checked<Value> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (path: readonly PropertyKey[]) => lines.linePos(offsetOf(document, path)).line;
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new TypeError(`line ${lines.linePos(broken.pos[0]).line} is not YAML (${broken.code}).`);
  }
  const parsed = schema.safeParse(readValue(document));
  if (parsed.success) return { value: parsed.data, lineOf };
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  throw new TypeError(
    `line ${lineOf(path)}, ${path.join('.') || 'the file'}: ${issue?.message ?? 'wrong'}.`,
  );
}

/** The parser refuses aliases that name nothing or expand without end. */
function readValue(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new TypeError('its aliases cannot be resolved.', { cause: error });
  }
}

/** Where the value of a path begins; for a missing one, where the node that should hold it begins. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
