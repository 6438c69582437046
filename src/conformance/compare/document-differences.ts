import { holderOf, type Member, membersOf } from './members.ts';
import { isVolatile, steadyText } from './steady-text.ts';

interface Body {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

interface MemberDifference {
  readonly part: 'member';
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/** Words for people: an implementation chooses them freely. */
const PROSE = /(?:^|[._])(?:error_description|description|detail|hint|message|reason|text|title)$/i;

/** What names one thing of one run. */
const NAMES_ONE = /(?:^|[._])(?:id|jti|kid|sub|email|nonce|code|token|keys\[\]\.[nxy])(?:\[\])*$/i;

/** The first second of 2001: greater numbers are times (RFC 7519 §2, NumericDate). */
const FIRST_TIME = 978_307_200;

/** The members in which two bodies differ, where both are JSON objects or lists, or both are forms. */
export function documentDifferences(
  a: Body,
  b: Body,
  targets: { readonly a: string; readonly b: string },
): readonly MemberDifference[] {
  const [first, second] = [documentOf(a), documentOf(b)];
  if (first === undefined || second === undefined) return [];
  const [inA, inB] = [membersOf(first), membersOf(second)];
  const paths = [...new Set([...inA.keys(), ...inB.keys()])];
  return paths.flatMap((path): readonly MemberDifference[] => {
    const [left, right] = [inA.get(path), inB.get(path)];
    const found = differenceOf(path, left, right, targets);
    if (found === undefined || isTold(path, inA, inB)) return [];
    return [{ part: 'member', name: path, a: found[0], b: found[1] }];
  });
}

/** The longest bodies are cut, and are then no JSON. */
function documentOf({ body }: Body): unknown {
  if (body === undefined) return undefined;
  try {
    const document: unknown = JSON.parse(body);
    return typeof document === 'object' && document !== null ? document : undefined;
  } catch {
    const isForm = /^[\w.~%+\-‹›]+=[^<>\s"{}]*$/.test(body);
    return isForm ? Object.fromEntries(new URLSearchParams(body)) : undefined;
  }
}

/** What holds it is absent on one side, or is an empty list there. */
function isTold(
  path: string,
  a: ReadonlyMap<string, Member>,
  b: ReadonlyMap<string, Member>,
): boolean {
  const holder = holderOf(path);
  if (holder === undefined) return false;
  if (path.endsWith('[]') && (!a.has(path) || !b.has(path))) return true;
  return !a.has(holder) || !b.has(holder);
}

function differenceOf(
  path: string,
  a: Member | undefined,
  b: Member | undefined,
  targets: { readonly a: string; readonly b: string },
): readonly [string, string] | undefined {
  if (a === undefined || b === undefined) return [typesOf(a), typesOf(b)];
  if (typesOf(a) !== typesOf(b)) return [typesOf(a), typesOf(b)];
  if (PROSE.test(path) || NAMES_ONE.test(path)) return undefined;
  const [left, right] = [steadyValues(a, targets.a), steadyValues(b, targets.b)];
  if (left.length === 0 || right.length === 0) return undefined;
  const onlyA = left.filter((value) => !right.some((other) => isSame(value, other)));
  const onlyB = right.filter((value) => !left.some((other) => isSame(value, other)));
  if (onlyA.length === 0 && onlyB.length === 0) return undefined;
  return [listed(onlyA), listed(onlyB)];
}

function typesOf(member: Member | undefined): string {
  return member === undefined ? 'absent' : [...member.types].sort().join(' or ');
}

type Value = Member['values'][number];

function steadyValues({ values }: Member, target: string): readonly Value[] {
  return values
    .map((value) => (typeof value === 'string' ? steadyText(value, target) : value))
    .filter((value) =>
      typeof value === 'string'
        ? !isVolatile(value)
        : typeof value !== 'number' || value < FIRST_TIME,
    );
}

/** Seconds that are left are counted while the run goes on. */
function isSame(a: Value, b: Value): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b;
  return Math.abs(a - b) <= Math.max(2, 0.02 * Math.max(Math.abs(a), Math.abs(b)));
}

const MOST_LISTED = 4;

function listed(values: readonly Value[]): string {
  if (values.length === 0) return 'no other';
  const shown = [...new Set(values.map((value) => JSON.stringify(value)))];
  const more = shown.length - MOST_LISTED;
  return more > 0 ? `${shown.slice(0, MOST_LISTED).join(', ')} and ${more} more` : shown.join(', ');
}
