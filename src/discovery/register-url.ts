import { type Found, inBlock } from './find-block.ts';
import { listOf, memberOf, objectOf, textOf } from './read.ts';

/** Which generation of names a member is of. */
export type NameAge = 'new' | 'old' | 'unknown';

/** A member that says where agents register. */
export interface RegisterMember {
  readonly member: string;
  readonly age: NameAge;
  /** `null` and other values that are no text count as given. */
  readonly value: unknown;
}

/** In the order in which they are believed. */
const NAMES: readonly (readonly [name: string, age: NameAge])[] = [
  ['identity_endpoint', 'new'],
  // A side branch's; at the top level it is that of RFC 7591, and not asked here.
  ['registration_endpoint', 'new'],
  ['register_uri', 'old'],
  ['register_endpoint', 'unknown'],
  ['registration_uri', 'unknown'],
  ['registration_url', 'unknown'],
  ['register_url', 'unknown'],
];

const TYPES = ['anonymous', 'identity_assertion', 'service_auth', 'verified_email'];

/** Every member that names a URL to register at, the most trusted first. */
export function registerMembers(found: Found): readonly RegisterMember[] {
  const { block } = found;
  if (block === undefined) return [];
  const isFragment = found.at !== '';
  const own = NAMES.filter(([name]) => isFragment || name !== 'registration_endpoint').flatMap(
    ([name, age]) => given(block, name, age, inBlock(found, name)),
  );
  const ofTypes = TYPES.flatMap((type) =>
    ['register_uri', 'identity_endpoint'].flatMap((name) =>
      given(
        objectOf(memberOf(block, type)),
        name,
        name === 'register_uri' ? 'old' : 'new',
        inBlock(found, `${type}.${name}`),
      ),
    ),
  );
  const ofMethods = listOf(memberOf(block, 'registration_methods')).flatMap((method, index) =>
    given(
      objectOf(method),
      'register_uri',
      'old',
      inBlock(found, `registration_methods[${index}].register_uri`),
    ),
  );
  return [...own, ...ofTypes, ...ofMethods];
}

function given(
  object: Readonly<Record<string, unknown>>,
  name: string,
  age: NameAge,
  member: string,
): readonly RegisterMember[] {
  const value = memberOf(object, name);
  return value === undefined ? [] : [{ member, age, value: textOf(value) ?? value }];
}
