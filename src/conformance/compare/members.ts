/** What is at one path of a JSON document: a list counts as one place for all its elements. */
export interface Member {
  /** `string`, `number`, `boolean`, `null`, `object` or `list`. */
  readonly types: ReadonlySet<string>;
  /** Of scalars. */
  readonly values: readonly (string | number | boolean | null)[];
}

const DEEPEST = 12;

/** The members of a JSON document by path: `claim_attempt.interval`, `scopes_supported[]`. */
export function membersOf(document: unknown): ReadonlyMap<string, Member> {
  const found = new Map<string, { types: Set<string>; values: Member['values'][number][] }>();
  const visit = (value: unknown, path: string, depth: number): void => {
    const member = found.get(path) ?? { types: new Set(), values: [] };
    found.set(path, member);
    member.types.add(typeOf(value));
    if (Array.isArray(value)) {
      if (depth < DEEPEST) for (const each of value) visit(each, `${path}[]`, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      if (depth === DEEPEST) return;
      for (const [name, each] of Object.entries(value)) {
        visit(each, path === '' ? name : `${path}.${name}`, depth + 1);
      }
    } else if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) {
      member.values.push(value as Member['values'][number]);
    }
  };
  visit(document, '', 0);
  return found;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** The path of what holds a member; undefined for the document. */
export function holderOf(path: string): string | undefined {
  if (path === '') return undefined;
  if (path.endsWith('[]')) return path.slice(0, -2);
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}
