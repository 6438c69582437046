import { type MemberPath, shownPath } from './document.ts';
import { type Found, typesIn } from './found.ts';
import { judgeUrl, type UrlJudgement } from './judge-url.ts';
import { UNKNOWN_REGISTER_NAMES } from './names.ts';
import { listOf, memberOf, objectOf, textOf } from './read.ts';
import { isSamePlace } from './url.ts';

/** A member that says where agents register, and what is to be thought of it. */
export interface RegisterMember {
  readonly path: MemberPath;
  /** The path as it is shown. */
  readonly member: string;
  /** Which generation of names it is of. */
  readonly age: 'new' | 'old' | 'unknown';
  /** `null` and other values that are no text count as given. */
  readonly value: unknown;
  readonly judgement: UrlJudgement;
}

/** Every member that names a URL to register at, the most trusted first. */
export function registerMembers(found: Found): readonly RegisterMember[] {
  const { block, path: at } = found;
  if (block === undefined) return [];
  const given = (object: unknown, name: string, ...way: MemberPath): readonly RegisterMember[] => {
    const value = memberOf(objectOf(object), name);
    if (value === undefined) return [];
    const path = [...at, ...way, name];
    const age = UNKNOWN_REGISTER_NAMES.includes(name)
      ? 'unknown'
      : name === 'register_uri'
        ? 'old'
        : 'new';
    const judgement = judgeUrl(found, textOf(value) ?? value);
    return [{ path, member: shownPath(path), age, value: textOf(value) ?? value, judgement }];
  };
  return [
    ...given(block, 'identity_endpoint'),
    // A side branch's; at the top level it is that of RFC 7591.
    ...(at.length > 0 ? given(block, 'registration_endpoint') : []),
    ...given(block, 'register_uri'),
    ...UNKNOWN_REGISTER_NAMES.flatMap((name) => given(block, name)),
    ...typesIn(block).flatMap(([type, its]) => [
      ...given(its, 'register_uri', type),
      ...given(its, 'identity_endpoint', type),
    ]),
    ...listOf(memberOf(block, 'registration_methods')).flatMap((method, index) =>
      given(method, 'register_uri', 'registration_methods', index),
    ),
  ];
}

/** The places at which agents can register, one member for each. */
export function placesOf(registers: readonly RegisterMember[]): readonly RegisterMember[] {
  const real = registers.filter(({ judgement }) => judgement.is === 'real');
  const urlOf = ({ judgement }: RegisterMember) => judgement.url;
  return real.filter(
    (one, index) => !real.slice(0, index).some((other) => isSamePlace(urlOf(one), urlOf(other))),
  );
}
