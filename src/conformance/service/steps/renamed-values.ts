import { isObject } from '../../http/answer.ts';

/** How a cookie's value, or a part of it between dots, is written. */
interface Writing {
  read(part: string): string | undefined;
  write(text: string): string;
}

/** The emails of the user of a cookie and of another user. */
interface Names {
  readonly own: string;
  readonly other: string;
}

/** Values of the same cookie: of an earlier session of its user, and of the other user. */
interface Samples {
  readonly earlier: string | undefined;
  readonly other: string | undefined;
}

const WRITINGS: readonly Writing[] = [
  { read: (part) => part, write: (text) => text },
  { read: unescaped, write: encodeURIComponent },
  { read: decoded('base64url'), write: (text) => Buffer.from(text).toString('base64url') },
  {
    read: (part) => decoded('base64')(unescaped(part) ?? part),
    write: (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  },
];

/**
 * A cookie's value with another user in it, in each way in which it can be read: as text, escaped for URLs, in
 * base64 and as JSON, whole or one part between dots (a signature stays as it was). Empty where no user can
 * be read. In JSON every member names the user that is the same in two of their sessions and another one in
 * that of the other user.
 */
export function renamedValues(value: string, names: Names, samples: Samples): readonly string[] {
  const renamed = new Set<string>();
  const whole = rename(value, names, samples);
  if (whole !== undefined) renamed.add(whole);
  const parts = value.split('.');
  const [earlier, other] = [samples.earlier?.split('.'), samples.other?.split('.')];
  for (const [index, part] of parts.entries()) {
    const changed = rename(part, names, { earlier: earlier?.[index], other: other?.[index] });
    if (changed !== undefined) renamed.add(parts.with(index, changed).join('.'));
  }
  return [...renamed].filter((each) => each !== value);
}

function rename(part: string, names: Names, samples: Samples): string | undefined {
  for (const { read, write } of WRITINGS) {
    const text = read(part);
    if (text === undefined) continue;
    const of = (sample: string | undefined) => parsed(sample && read(sample));
    const members = renamedMembers(parsed(text), of(samples.earlier), of(samples.other));
    const known = members === undefined ? text : JSON.stringify(members);
    const changed = known.replaceAll(names.own, () => names.other);
    if (changed !== text && (members !== undefined || text.includes(names.own))) {
      return write(changed);
    }
  }
  return undefined;
}

/** An object with the other user's values of what names a user; undefined where nothing does. */
function renamedMembers(own: unknown, earlier: unknown, other: unknown): object | undefined {
  if (!isObject(own) || !isObject(earlier) || !isObject(other)) return undefined;
  const changed = Object.entries(own).flatMap(([name, value]): [string, unknown][] => {
    const theirs = other[name];
    if (isObject(value)) {
      const inner = renamedMembers(value, earlier[name], theirs);
      return inner === undefined ? [] : [[name, inner]];
    }
    const isTheName = value === earlier[name] && typeof value === typeof theirs;
    return isTheName && value !== theirs ? [[name, theirs]] : [];
  });
  return changed.length === 0 ? undefined : { ...own, ...Object.fromEntries(changed) };
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unescaped(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** Undefined for what is no text in that encoding. */
function decoded(encoding: 'base64' | 'base64url') {
  return (part: string): string | undefined => {
    const bytes = Buffer.from(part, encoding);
    const text = bytes.toString('utf8');
    const isExact = bytes.toString(encoding).replace(/=+$/, '') === part.replace(/=+$/, '');
    return isExact && !text.includes('\ufffd') ? text : undefined;
  };
}
