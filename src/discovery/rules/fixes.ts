import { IDENTITY_TYPES, isJsonObject } from '../../protocol/index.ts';
import { OF_THE_BLOCK, TYPE_NAMES, WRONG_NAMES } from '../names.ts';
import { rawText } from '../read.ts';
import type { Fix } from './rule.ts';

/** A copy of a document that is being mended: its members keep their order. */
export type Draft = Record<string, unknown>;

export function isDraft(value: unknown): value is Draft {
  return isJsonObject(value);
}

/** What is not there is not named: a member that has no URL which can be called is left out. */
export const dropUrl: Fix = ({ object, name, member }) => {
  const value = object[name];
  // A path may be right: its author knows the host.
  if (typeof value === 'string' && (isUrl(value) || value.startsWith('/'))) return undefined;
  delete object[name];
  return `${member} is gone, since it was no URL that can be called`;
};

function isUrl(text: string): boolean {
  return /^https?:\/\/[^\s{}<>]+$/i.test(text) && URL.canParse(text);
}

/** What a text lists, as OAuth writes scopes. */
export const listWords: Fix = ({ object, name }) => {
  const text = object[name];
  if (typeof text !== 'string') return undefined;
  object[name] = text.split(/[\s,]+/).filter((word) => word !== '');
  return `${name} is a list`;
};

export const emptyList: Fix = ({ object, name }) => {
  object[name] = [];
  return `${name} is there, if only as an empty list`;
};

/** Moves a member to its right name; what stands there already and says the same takes its place. */
export const rightName: Fix = ({ root, block, object, name }) => {
  const { right, above, own } = WRONG_NAMES.get(name) ?? {};
  const to = above ? root : object;
  if (right === undefined || (above && root === block)) return undefined;
  if (name.startsWith('credential_types')) return belowTypes(object, name);
  if (!above && !own && !/_(?:endpoint|ur[il])$/.test(name)) return undefined;
  if (Object.hasOwn(to, right)) {
    if (!isSame(to[right], object[name])) return undefined;
    delete object[name];
    return `${name} is gone, since ${right} says the same`;
  }
  if (to === object) {
    rewrite(object, (each, value) => [[each === name ? right : each, value]]);
    return `${name} is named ${right}`;
  }
  to[right] = object[name];
  delete object[name];
  return `${name} stands beside agent_auth, as ${right}`;
};

/** A list for the whole block is that of each type which has none. */
function belowTypes(block: Draft, name: string): string | undefined {
  const types = block['identity_types_supported'];
  const known = TYPE_NAMES.filter((type) => Array.isArray(types) && types.includes(type));
  const isFree = known.every((type) => block[type] === undefined || isDraft(block[type]));
  if (known.length === 0 || !isFree || !Array.isArray(block[name])) return undefined;
  for (const type of known) {
    block[type] = { credential_types_supported: block[name], ...(block[type] as Draft) };
  }
  delete block[name];
  return `${name} stands below the types, as credential_types_supported`;
}

/** Members of the block that stand beside it, and what one type says of the claim, for all of them. */
export const intoBlock: Fix = ({ root, block, object, name }) => {
  if (block === undefined) return undefined;
  const value = object[name];
  if (object === root) {
    // A value of its own is not thrown away: which one is meant, only its author knows.
    if (Object.hasOwn(block, name) && !isSame(block[name], value)) return undefined;
    block[name] = value;
    delete root[name];
    return `${name} stands in agent_auth alone`;
  }
  const isThere = ['claim_endpoint', 'claim_uri'].some((each) => Object.hasOwn(block, each));
  if (isThere || typeof value !== 'string' || !isUrl(value)) return undefined;
  const isOlder = rawText(block, 'identity_endpoint') === undefined;
  const [register, claim] = isOlder
    ? ['register_uri', 'claim_uri']
    : ['identity_endpoint', 'claim_endpoint'];
  insertAfter(block, register, claim, value);
  return 'the URL of claims stands in agent_auth itself';
};

/** The members of the block are put into one where they stand at the top level. */
export const makeBlock: Fix = ({ root }) => {
  const made: Draft = {};
  for (const name of ['skill', ...OF_THE_BLOCK].filter((each) => Object.hasOwn(root, each))) {
    made[name] = root[name];
    delete root[name];
  }
  root['agent_auth'] = made;
  return 'the members of agent_auth stand in it';
};

/** Entries of the list of types as names, and each type that an entry describes in a member of its own. */
export const nameTypes: Fix = ({ object: block, name: list }) => {
  const given = block[list];
  const listed: unknown = typeof given === 'string' ? given.split(/[\s,]+/).filter(Boolean) : given;
  if (!Array.isArray(listed)) return undefined;
  const names = listed.flatMap((entry: unknown): readonly string[] => {
    if (typeof entry === 'string') return [entry];
    if (!isDraft(entry)) return [];
    const type = rawText(entry, 'type');
    if (type !== undefined) return [type];
    for (const [name, its] of Object.entries(entry)) {
      if (TYPE_NAMES.includes(name) && isDraft(its)) block[name] ??= its;
    }
    return Object.keys(entry);
  });
  const isKnown = (name: string) => [...IDENTITY_TYPES, 'verified_email'].includes(name);
  const kept = names.some(isKnown) ? names.filter(isKnown) : names;
  const gone = names.filter((name) => !kept.includes(name));
  block[list] = [...new Set(kept)];
  if (isSame(block[list], given)) return undefined;
  return gone.length === 0
    ? `${list} lists names`
    : `${list} lists names, without ${gone.join(', ')}, which no agent knows`;
};

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Adds a member behind another one, or at the end. */
export function insertAfter(object: Draft, before: string, name: string, value: unknown): void {
  if (!Object.hasOwn(object, before)) object[name] = value;
  else {
    const added = [[name, value]] as const;
    rewrite(object, (each, its) => [[each, its], ...(each === before ? added : [])]);
  }
}

type Member = readonly [name: string, value: unknown];

function rewrite(object: Draft, change: (name: string, value: unknown) => readonly Member[]): void {
  const members = Object.entries(object);
  for (const [name] of members) delete object[name];
  for (const [name, value] of members.flatMap((each) => change(...each))) {
    // `__proto__` is a member like any other.
    const is = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(object, name, is);
  }
}
