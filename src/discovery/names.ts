import { nearest } from '../runtime/index.ts';

/** A name that no published family has, and what is meant by it. */
export interface WrongName {
  readonly right: string;
  /** The right name is one of the metadata around the block. */
  readonly above?: true;
  /** A rule of its own is about it. */
  readonly own?: true;
}

/** Names of the URL to register at that no version of the protocol has. */
export const UNKNOWN_REGISTER_NAMES: readonly string[] = [
  'register_endpoint',
  'registration_uri',
  'registration_url',
  'register_url',
];

const OTHER_TYPE_LISTS = ['supported_identity_types', 'identity_types'];

/** Names of the list of types, the right one first. */
export const TYPE_LISTS: readonly string[] = ['identity_types_supported', ...OTHER_TYPE_LISTS];

type Group = readonly [how: WrongName, ...names: readonly string[]];

const GROUPS: readonly Group[] = [
  // Of a side branch alone.
  [{ right: 'identity_endpoint' }, 'registration_endpoint'],
  [{ right: 'identity_endpoint', own: true }, ...UNKNOWN_REGISTER_NAMES],
  [{ right: 'identity_types_supported', own: true }, ...OTHER_TYPE_LISTS],
  [{ right: 'skill' }, 'skill_uri', 'skill_url'],
  [{ right: 'claim_endpoint' }, 'claim_url', 'claims_url', 'claims_uri', 'claims_endpoint'],
  [{ right: 'events_endpoint' }, 'events_uri', 'events_url', 'event_endpoint'],
  [{ right: 'revocation_endpoint', above: true }, 'revocation_url', 'revocation_endpoint'],
  [{ right: 'token_endpoint', above: true }, 'token_endpoint'],
  [{ right: 'introspection_endpoint', above: true }, 'introspection_uri'],
  [{ right: 'service_documentation', above: true }, 'documentation_uri'],
  [{ right: 'identity_assertion.assertion_types_supported' }, 'assertion_types_supported'],
  [
    { right: 'anonymous.credential_types_supported' },
    ...['credential_types', 'credential_types_supported'],
  ],
  [
    { right: 'identity_types_supported' },
    ...['registration_methods', 'methods_supported', 'supported_methods', 'registration_method'],
  ],
];

/** The wrong names seen in published blocks: one list for what is read, what is said of it and what is fixed. */
export const WRONG_NAMES: ReadonlyMap<string, WrongName> = new Map(
  GROUPS.flatMap(([how, ...names]) => names.map((name) => [name, how] as const)),
);

/** The names seen there for what no family has a name for. */
const NAMELESS: readonly string[] = [
  'complete_uri',
  'verify_uri',
  'rekey_uri',
  'reissue_uri',
  'method',
  'claim_ceremony_supported',
  'protected_resource_metadata_uri',
];

/** Members of a block that describe one type each. */
export const TYPE_NAMES = ['anonymous', 'identity_assertion', 'service_auth', 'verified_email'];

/** Members of the block that some put beside it. */
export const OF_THE_BLOCK: readonly string[] = [
  'identity_endpoint',
  'claim_endpoint',
  'events_endpoint',
  'register_uri',
  'claim_uri',
  'identity_types_supported',
  'supported_identity_types',
  'credential_types_supported',
  'events_supported',
  ...TYPE_NAMES,
];

/** What the published families call things, for names that are nearly right. */
const KNOWN_NAMES: readonly string[] = [
  'skill',
  'claim_grant_type',
  'revocation_uri',
  ...OF_THE_BLOCK.filter((name) => !WRONG_NAMES.has(name)),
];

/** What is wrong with the name of a member of a block, and what to write instead. */
export function wrongName(name: string): readonly [message: string, instead: string] | undefined {
  const wrong = WRONG_NAMES.get(name);
  if (KNOWN_NAMES.includes(name) || TYPE_LISTS.includes(name)) return undefined;
  if (wrong !== undefined) {
    const message = `Most agents do not look for ${name} in agent_auth.`;
    return [message, wrong.above ? `${wrong.right}, beside agent_auth` : wrong.right];
  }
  const message = `No published family of the protocol has ${name}.`;
  if (NAMELESS.includes(name)) {
    return [message, 'Leave it out, and say in the skill file what it is for.'];
  }
  const meant = nearest(name, KNOWN_NAMES);
  // Longer names may differ in a word, and mean something of their own.
  return meant !== undefined && Math.abs(meant.length - name.length) <= 2
    ? [message, meant]
    : undefined;
}
