import { nearest } from '../../runtime/index.ts';
import type { Check } from './judged.ts';

/** A name that no published family has, and what is meant by it. */
interface WrongName {
  readonly right: string;
  /** The right name is one of the metadata around the block. */
  readonly above?: true;
}

/** Seen in published blocks. Names of the URL to register at, and of the identity types, have rules of their own. */
export const WRONG_NAMES: Readonly<Record<string, WrongName>> = {
  // Of a side branch alone.
  registration_endpoint: { right: 'identity_endpoint' },
  skill_uri: { right: 'skill' },
  skill_url: { right: 'skill' },
  claim_url: { right: 'claim_endpoint' },
  claims_url: { right: 'claim_endpoint' },
  claims_uri: { right: 'claim_endpoint' },
  claims_endpoint: { right: 'claim_endpoint' },
  events_uri: { right: 'events_endpoint' },
  events_url: { right: 'events_endpoint' },
  event_endpoint: { right: 'events_endpoint' },
  revocation_url: { right: 'revocation_endpoint', above: true },
  revocation_endpoint: { right: 'revocation_endpoint', above: true },
  token_endpoint: { right: 'token_endpoint', above: true },
  introspection_uri: { right: 'introspection_endpoint', above: true },
  documentation_uri: { right: 'service_documentation', above: true },
  assertion_types_supported: { right: 'identity_assertion.assertion_types_supported' },
  credential_types: { right: 'anonymous.credential_types_supported' },
  credential_types_supported: { right: 'anonymous.credential_types_supported' },
  registration_methods: { right: 'identity_types_supported' },
  methods_supported: { right: 'identity_types_supported' },
  supported_methods: { right: 'identity_types_supported' },
  registration_method: { right: 'identity_types_supported' },
};

/** Seen too, for what no family has a name for. */
const NAMELESS = [
  'complete_uri',
  'verify_uri',
  'rekey_uri',
  'reissue_uri',
  'method',
  'claim_ceremony_supported',
  'protected_resource_metadata_uri',
];

/** More members of a block are not compared. */
const MOST_MEMBERS = 200;

/** What the published families call things, for names that are nearly right. */
const KNOWN_NAMES = [
  'skill',
  'identity_endpoint',
  'claim_endpoint',
  'events_endpoint',
  'register_uri',
  'claim_uri',
  'revocation_uri',
  'identity_types_supported',
  'supported_identity_types',
  'events_supported',
  'claim_grant_type',
  'anonymous',
  'identity_assertion',
  'service_auth',
  'verified_email',
];

/** Members of the block that stand around it. */
const MISPLACED = [
  'identity_endpoint',
  'claim_endpoint',
  'events_endpoint',
  'register_uri',
  'claim_uri',
  'identity_types_supported',
  'supported_identity_types',
  'credential_types_supported',
  'events_supported',
  'anonymous',
  'identity_assertion',
  'service_auth',
  'verified_email',
];

/** Members of a type that are the block's. */
const OF_THE_BLOCK: Readonly<Record<string, string>> = {
  claim_uri: 'claim_endpoint',
  claim_endpoint: 'claim_endpoint',
};

const TYPES = ['anonymous', 'identity_assertion', 'service_auth', 'verified_email'];

/** Names that no reader of a published family looks for. */
export const checkNames: Check = ({ blocks }, report) => {
  for (const { document, members, path } of blocks) {
    for (const name of Object.keys(members).slice(0, MOST_MEMBERS)) {
      const wrong = Object.hasOwn(WRONG_NAMES, name) ? WRONG_NAMES[name] : undefined;
      if (wrong !== undefined) {
        report({
          rule: 'unknown-name',
          document: document.name,
          path: [...path, name],
          message: `Most agents do not look for ${name} in agent_auth.`,
          instead: wrong.above ? `${wrong.right}, beside agent_auth` : wrong.right,
        });
      } else if (NAMELESS.includes(name)) {
        report({
          rule: 'unknown-name',
          document: document.name,
          path: [...path, name],
          message: `No published family of the protocol has ${name}.`,
          instead: 'Leave it out, and say in the skill file what it is for.',
        });
      } else if (!KNOWN_NAMES.includes(name)) {
        const meant = nearest(name, KNOWN_NAMES);
        // Longer names may differ in a word, and mean something of their own.
        if (meant === undefined || Math.abs(meant.length - name.length) > 2) continue;
        report({
          rule: 'unknown-name',
          document: document.name,
          path: [...path, name],
          message: `No published family of the protocol has ${name}.`,
          instead: meant,
        });
      }
    }
  }
};

/** Members that stand in another object than the one in which they are looked for. */
export const checkMembersInPlace: Check = ({ blocks }, report) => {
  for (const { document, members, path } of blocks) {
    if (path.length > 0) {
      for (const name of MISPLACED.filter((each) => Object.hasOwn(document.json, each))) {
        report({
          rule: 'misplaced-member',
          document: document.name,
          path: [name],
          message: `${name} stands beside agent_auth, where agents do not look for it.`,
          instead: Object.hasOwn(members, name) ? 'Leave it out here.' : `agent_auth.${name}`,
        });
      }
    }
    if (['claim_endpoint', 'claim_uri'].some((name) => Object.hasOwn(members, name))) continue;
    for (const type of TYPES) {
      const its = members[type];
      if (typeof its !== 'object' || its === null) continue;
      for (const name of Object.keys(OF_THE_BLOCK).filter((each) => Object.hasOwn(its, each))) {
        report({
          rule: 'misplaced-member',
          document: document.name,
          path: [...path, type, name],
          message: `${name} is given for ${type} alone; most agents look for it in agent_auth itself.`,
          instead: `agent_auth.${OF_THE_BLOCK[name]}`,
        });
      }
    }
  }
};
