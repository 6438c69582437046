import { CLAIM_GRANT_ENDINGS, displayText, IDENTITY_TYPES } from '../../protocol/index.ts';
import { type Block, typesIn } from '../found.ts';
import { OF_THE_BLOCK, wrongName } from '../names.ts';
import { firstMember, listOf, rawText, shown, textAt } from '../read.ts';
import { refusals } from '../refusals.ts';
import { placesOf } from '../registers.ts';
import { areAlike, isSamePlace, webUrl } from '../url.ts';
import { dropUrl, intoBlock, makeBlock, nameTypes, rightName } from './fixes.ts';
import { breach, type Rule } from './rule.ts';

const FAMILIES = 'the published families';
const REGISTER_URL = `${FAMILIES}: register_uri in v0.1, identity_endpoint since v0.2`;

/** About how agents register. */
export const REGISTRATION_RULES = {
  'agent-auth-not-an-object': {
    holds: 'agent_auth is an object.',
    why: 'Its members say where and how agents register.',
    says: 'agent_auth is not an object.',
    instead: 'Make it an object with identity_endpoint and identity_types_supported.',
    find: ({ block, document, instead }) =>
      block === undefined && instead !== undefined && breach(document, ['agent_auth']),
  },
  'agent-auth-at-top-level': {
    severity: 'warning',
    holds: 'The members of agent_auth stand in an object of that name.',
    why: 'Beside it, registration_endpoint and others have another meaning (RFC 7591).',
    says: 'The members of agent_auth stand at the top level.',
    instead: 'Put them into an object named agent_auth.',
    fix: makeBlock,
    find: ({ block, document, path, isWhole, chosen }) =>
      block !== undefined &&
      path.length === 0 &&
      isWhole &&
      breach(document, chosen?.path ?? ['identity_endpoint']),
  },
  'register-url-missing': {
    holds: 'agent_auth names the URL at which agents register.',
    why: 'Without it a registration is advertised that nobody can make.',
    says: 'Nothing says where an agent registers.',
    instead: 'Name the URL in identity_endpoint, or leave agent_auth out.',
    find: ({ block, document, path, registers }) =>
      block !== undefined &&
      registers.length === 0 &&
      breach(document, [...path, 'identity_endpoint']),
  },
  'register-url-is-client-registration': {
    holds: 'The URL to register at is not that of OAuth client registration.',
    why: 'That is another protocol (RFC 7591): it makes clients of software, and knows no identity types.',
    source: 'RFC 7591 §3',
    instead: 'Name it in registration_endpoint beside agent_auth, and leave agent_auth out.',
    find: ({ document, registers, verdict, reason }) => {
      const its = registers.find(({ judgement }) => judgement.is === 'client_registration');
      if (verdict !== 'client_registration' || its === undefined) return [];
      return [breach(document, its.path, reason)];
    },
  },
  'register-url-unusable': {
    holds:
      'The URL to register at is an endpoint: not null, no mailto:, no page, no fragment, no template, not the skill file.',
    why: 'Agents post to it. What is there for people cannot answer them.',
    fix: dropUrl,
    find: ({ document, registers, verdict }) => {
      if (verdict === 'client_registration') return [];
      const isBeside = verdict !== 'published_only';
      const but = isBeside ? '; another member names a URL that can be used' : '';
      const fix = isBeside
        ? 'Give it the same URL, or leave it out.'
        : 'Name a URL that registers agents, or leave agent_auth out.';
      return registers
        .filter(({ judgement }) => judgement.is !== 'real')
        .map(({ member, path, judgement: { why } }) =>
          breach(document, path, `${member} ${why}${but}.`, fix),
        );
    },
  },
  'register-urls-differ': {
    severity: 'warning',
    holds: 'Names of the URL to register at, where several are given, have the same value.',
    why: 'They are names of one thing; which one an agent reads depends on its age.',
    source: REGISTER_URL,
    instead: 'Give them the same URL.',
    find: ({ document, registers, verdict }) => {
      const places = placesOf(registers);
      const [first] = places;
      if (verdict !== 'choice' || first === undefined || places.length === 1) return [];
      const names = places.map(({ member }) => member).join(' and ');
      return breach(document, first.path, `${names} name different URLs to register at.`);
    },
  },
  'register-url-is-token-endpoint': {
    severity: 'warning',
    holds: 'A registration and a token have URLs of their own.',
    why: 'One takes JSON and the other a form; what answers both is seldom either.',
    source: 'RFC 6749 §3.2',
    says: 'One URL is given for the registration and for tokens.',
    instead: 'Give each its own URL, or leave token_endpoint out.',
    find: ({ document, chosen, endpoints }) =>
      chosen !== undefined &&
      isSamePlace(endpoints.register, endpoints.token) &&
      breach(document, chosen.path),
  },
  'one-url-for-all': {
    holds: 'A registration and a claim have URLs of their own.',
    why: 'One URL for everything is, in what is published, a page or a placeholder.',
    instead: 'Give each its own URL; leave out what does not exist.',
    find: ({ blocks }) =>
      blocks.flatMap(({ document, around, members, path }) => {
        const [, register] = firstOf(members, REGISTER_NAMES) ?? [];
        const [name, claim] = firstOf(members, CLAIM_NAMES) ?? [];
        if (name === undefined || !areAlike(register, claim)) return [];
        const isToken = areAlike(rawText(around, 'token_endpoint'), register);
        const what = isToken ? 'register, claim and get tokens' : 'register and claim';
        return breach(document, [...path, name], `Agents ${what} at one URL.`);
      }),
  },
  'foreign-endpoint': {
    severity: 'warning',
    holds: 'Agents register on the origin of the issuer.',
    why: 'An agent must not post to another one unless its user allows it.',
    instead: 'Serve it on the origin of the issuer: agents must not post elsewhere unasked.',
    find: ({ server, document, at, endpoints: { register }, chosen }) => {
      const home = webUrl(textAt(server, 'issuer')) ?? webUrl(at);
      if (home === undefined || register === undefined || chosen === undefined) return [];
      const { origin } = new URL(register);
      const message = `Agents register at ${origin}, which is not the origin of the issuer.`;
      return origin !== home.origin && breach(document, chosen.path, message);
    },
  },
  'says-no-registration': {
    severity: 'warning',
    holds: 'agent_auth describes a registration that exists.',
    why: 'Documents that say of themselves that nobody registers here are honest where they say it in x-no-registration, registration_not_required or registration_required: then this is a note.',
    source: 'the published documents',
    instead: 'Leave agent_auth out where there is nothing to register.',
    find: (read) =>
      refusals(read).map(({ document, path, says }) =>
        breach(document, path, `It says that nobody registers here: ${says}.`),
      ),
  },
  'own-members-demanded': {
    severity: 'warning',
    holds: 'A registration needs no members of the service’s own.',
    why: 'Agents do not know them, and have to ask their user.',
    instead: 'Accept a registration without them, or say in the skill file what they mean.',
    find: ({ document, path, wanted }) => {
      const message = `A registration is described with members of its own: ${wanted.join(', ')}.`;
      return wanted.length > 0 && breach(document, [...path, 'registration_methods'], message);
    },
  },
  'identity-types-missing': {
    misleads: true,
    holds: 'identity_types_supported says how agents register.',
    why: 'An agent that guesses a type creates what nobody wanted.',
    says: 'Nothing says by which identity types an agent registers.',
    instead: 'List them in identity_types_supported.',
    find: ({ block, document, path, types }) =>
      block !== undefined &&
      types.member === undefined &&
      breach(document, [...path, 'identity_types_supported']),
  },
  'identity-types-not-strings': {
    misleads: true,
    holds: 'identity_types_supported is a list of names.',
    why: 'What a type takes stands in a member of its name.',
    instead: 'List the names alone, and describe each type in a member of its name.',
    fix: nameTypes,
    find: ({ document, path, types: { member = '', isNoList, asObjects } }) => {
      const what = isNoList
        ? `${member} is not a list.`
        : 'The list of identity types holds objects.';
      return (isNoList || asObjects) && breach(document, [...path, member], what);
    },
  },
  'no-known-identity-type': {
    misleads: true,
    holds: 'One of the identity types is one that agents know.',
    why: 'Otherwise no agent can register.',
    says: 'No identity type of this protocol is listed, so no agent can register.',
    find: ({ document, path, types: { member, known, unknown } }) =>
      member !== undefined &&
      known.length === 0 &&
      breach(document, [...path, member], undefined, typesInstead(unknown, 'List')),
  },
  'claim-urls-differ': {
    holds: 'claim_endpoint and claim_uri, where both are given, are the same URL.',
    why: 'They are two names of one thing; which one an agent reads depends on its age.',
    source: `${FAMILIES}: claim_uri in v0.1, claim_endpoint since v0.2`,
    says: 'claim_endpoint and claim_uri name different URLs.',
    fix: ({ object, name }) => {
      object[name] = object['claim_endpoint'];
      return 'claim_uri is the URL of claim_endpoint';
    },
    find: ({ blocks }) =>
      blocks.flatMap(({ document, members, path }) => {
        const [claim, other] = CLAIM_NAMES.map((name) => rawText(members, name));
        if (claim === undefined || other === undefined || areAlike(claim, other)) return [];
        const fix = `"claim_uri": "${displayText(claim, 200)}"`;
        return breach(document, [...path, 'claim_uri'], undefined, fix);
      }),
  },
  'claim-grant-without-claim-endpoint': {
    holds: 'Where a claim grant is listed, claim_endpoint says where a claim is started.',
    why: 'Agents would poll for a claim that they cannot start.',
    says: 'A claim grant is listed, but nothing says where a claim is started.',
    instead: '"claim_endpoint": the URL that takes claims',
    find: ({ blocks }) =>
      blocks
        .filter(({ around, members }) => {
          const isListed = listOf(around['grant_types_supported']).some(isClaimGrant);
          const isGiven = isListed || rawText(members, 'claim_grant_type') !== undefined;
          return isGiven && firstOf(members, CLAIM_NAMES) === undefined;
        })
        .map(({ document, path }) => breach(document, path)),
  },
  'events-url-is-revocation': {
    severity: 'warning',
    holds: 'revocation_uri in agent_auth is not the URL where tokens are revoked.',
    why: 'It had the meaning of events_endpoint: where providers report what ended.',
    source: `${FAMILIES}: revocation_uri in v0.1 and v0.2, events_endpoint since v0.3`,
    says: 'revocation_uri is where providers report what ended, but this is where tokens are revoked (RFC 7009).',
    instead:
      'Name it in revocation_endpoint beside agent_auth, and in events_endpoint the URL that takes events.',
    fix: ({ root, block, object, name }) => {
      if (root === block || object[name] !== root['revocation_endpoint']) return undefined;
      delete object[name];
      return 'revocation_uri is gone: revocation_endpoint says it';
    },
    find: ({ block = {}, document, path, endpoints }) =>
      isSamePlace(textAt(block, 'revocation_uri'), endpoints.revocation) &&
      breach(document, [...path, 'revocation_uri']),
  },
  'skill-of-another-host': {
    severity: 'warning',
    holds: 'The skill file is one of the service’s own.',
    why: 'That of a scanner, or of whoever wrote the protocol, says nothing about this service.',
    instead: 'Name a skill file of your own, which says how agents register here.',
    find: ({ block, server, resource, at, document, path, endpoints }) => {
      const skill = webUrl(endpoints.skill);
      const texts = [textAt(server, 'issuer'), textAt(resource, 'resource')];
      const homes = [at, ...texts, endpoints.register].flatMap((url) => webUrl(url) ?? []);
      if (block === undefined || skill === undefined || homes.length === 0) return [];
      // Hosts whose last two labels are the same are taken for one party's: this only warns.
      const party = ({ hostname }: URL) => hostname.split('.').slice(-2).join('.');
      const isOwn = homes.some((home) => party(home) === party(skill));
      const message = `The skill file ${shown(skill.href)} is of somebody else.`;
      return !isOwn && breach(document, [...path, 'skill'], message);
    },
  },
  'misplaced-member': {
    severity: 'warning',
    holds: 'The members of agent_auth stand in it, and claim_endpoint directly.',
    why: 'Elsewhere they are not looked for.',
    fix: intoBlock,
    find: ({ blocks }) =>
      blocks.flatMap(({ document, around, members, path }) => {
        const beside = path.length === 0 ? {} : around;
        const ofTypes = firstMember(members, CLAIM_NAMES) === undefined ? typesIn(members) : [];
        return [
          ...OF_THE_BLOCK.filter((name) => Object.hasOwn(beside, name)).map((name) => {
            const message = `${name} stands beside agent_auth, where agents do not look for it.`;
            const isTwice = Object.hasOwn(members, name);
            const fix = isTwice ? 'Leave it out here.' : `agent_auth.${name}`;
            return breach(document, [name], message, fix);
          }),
          ...ofTypes.flatMap(([type, its]) =>
            CLAIM_NAMES.filter((name) => Object.hasOwn(its, name)).map((name) => {
              const message = `${name} is given for ${type} alone; most agents look for it in agent_auth itself.`;
              return breach(document, [...path, type, name], message, 'agent_auth.claim_endpoint');
            }),
          ),
        ];
      }),
  },
  'unknown-name': {
    severity: 'warning',
    holds: 'The members of agent_auth have the names that a published family uses.',
    why: 'A member of another name is not read: what it says is lost.',
    source: `${FAMILIES}, v0.1 to v0.7`,
    fix: rightName,
    find: ({ blocks, chosen }) =>
      blocks.flatMap(({ document, members, path }) =>
        Object.keys(members)
          .slice(0, MOST_MEMBERS)
          // Names of what is registered by, and of the types, have rules of their own.
          .filter((name) => chosen?.age !== 'unknown' || chosen.path.at(-1) !== name)
          .flatMap((name) => {
            const [message, fix] = wrongName(name) ?? [];
            return message === undefined ? [] : breach(document, [...path, name], message, fix);
          }),
      ),
  },
} as const satisfies Readonly<Record<string, Rule>>;

/** The names in the order in which agents believe them. */
const REGISTER_NAMES = ['identity_endpoint', 'registration_endpoint', 'register_uri'];
const CLAIM_NAMES = ['claim_endpoint', 'claim_uri'];

/** More members of a block are not compared. */
const MOST_MEMBERS = 200;

function firstOf(members: Block['members'], names: readonly string[]) {
  return names
    .map((name) => [name, rawText(members, name)] as const)
    .find(([, text]) => text !== undefined);
}

export function isClaimGrant(grant: unknown): boolean {
  return typeof grant === 'string' && CLAIM_GRANT_ENDINGS.some((ending) => grant.endsWith(ending));
}

/** What to write in place of identity types that no agent knows. */
export function typesInstead(unknown: readonly string[], verb: 'Use' | 'List'): string {
  const near = unknown.flatMap(
    // A misspelled one begins right, mostly.
    (name) =>
      IDENTITY_TYPES.find((known) => known.startsWith(name.slice(0, 5).toLowerCase())) ?? [],
  );
  const all = `${verb} anonymous, identity_assertion or service_auth.`;
  return near.length === 0 ? all : `Did you mean ${near.join(', ')}? ${all}`;
}
