import { z } from 'zod';
import { didYouMean } from '../../runtime/index.ts';
import { ROLES } from './model.ts';
import { readChecked } from './read-checked.ts';

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
 * @param checks The ids that it may list. Default: any.
 * @throws TypeError with a sentence that names the line.
 */
export function readBaseline(text: string, checks?: readonly string[]): Baseline {
  const { lineOf, value } = readChecked(text, BASELINE);
  const names = value.known.map(({ check }) => check);
  const again = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (again >= 0) {
    throw new TypeError(`line ${lineOf(['known', again])}: ${names[again]} is listed twice.`);
  }
  const strange = checks === undefined ? -1 : names.findIndex((name) => !checks.includes(name));
  if (checks !== undefined && strange >= 0) {
    const name = names[strange] ?? '';
    throw new TypeError(
      `line ${lineOf(['known', strange])}: there is no check ${name}.` +
        (didYouMean(name, checks) || ' Take it out.'),
    );
  }
  return value;
}
