import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { ROLES } from './model.ts';

export const BASELINE_SCHEMA = 'agent-auth.conformance-baseline/1';

const BASELINE = z.strictObject({
  schema: z.literal(BASELINE_SCHEMA),
  role: z.enum(ROLES),
  known: z.array(z.strictObject({ check: z.string().min(1), reason: z.string().optional() })),
});

/** Known failures: they do not fail a run until they pass. */
export type Baseline = z.infer<typeof BASELINE>;

/**
 * Reads a baseline, YAML or JSON.
 * @throws TypeError with a sentence that names the line.
 */
export function readBaseline(text: string): Baseline {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new TypeError(`line ${lines.linePos(broken.pos[0]).line} is not YAML (${broken.code}).`);
  }
  const parsed = BASELINE.safeParse(readValue(document));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    const line = lines.linePos(offsetOf(document, path)).line;
    throw new TypeError(
      `line ${line}, ${path.join('.') || 'the file'}: ${issue?.message ?? 'wrong'}.`,
    );
  }
  const names = parsed.data.known.map(({ check }) => check);
  const again = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (again >= 0) {
    const line = lines.linePos(offsetOf(document, ['known', again])).line;
    throw new TypeError(`line ${line}: ${names[again]} is listed twice.`);
  }
  return parsed.data;
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
