import {
  CLAIM_GRANT_ENDINGS,
  displayText,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  REVOKED_EVENT_ENDING,
} from '../../protocol/index.ts';
import type { Block } from '../found.ts';
import { listOf, memberOf, objectOf, rawText } from '../read.ts';
import type { Read } from '../read-documents.ts';
import { badUrls } from './bad-urls.ts';
import { dropUrl, emptyList, nameTypes, rightName } from './fixes.ts';
import { isClaimGrant, typesInstead } from './registration-rules.ts';
import { breach, lacking, type Rule } from './rule.ts';

/** Lists that may be empty: RFC 8414 §2 requires the one, RFC 9728 §2 gives the other empty a meaning. */
const MAY_BE_EMPTY = ['response_types_supported', 'bearer_methods_supported'];
const METHODS: readonly unknown[] = ['header', 'body', 'query'];

/** What agents get over, or the conformance suite requires of documents, too. */
export const REQUIRED_RULES = {
  'response-types-missing': {
    ofServices: true,
    holds: 'response_types_supported is a list, if only an empty one.',
    why: 'It is required of every server; libraries refuse metadata without it.',
    source: 'RFC 8414 §2',
    says: 'It has no list of response types.',
    instead: '"response_types_supported": []',
    fix: emptyList,
    find: ({ metadata }) =>
      metadata !== undefined &&
      !Array.isArray(metadata['response_types_supported']) &&
      breach('server', ['response_types_supported']),
  },
  'authorization-servers-missing': {
    ofServices: true,
    holds: 'The metadata of a resource names its authorization servers.',
    why: 'Without them agents take the resource itself for one.',
    says: 'It names no authorization server.',
    source: 'RFC 9728 §2',
    find: ({ metadata = {}, resources }) =>
      resources.flatMap(({ json, name }) => {
        if (listOf(json['authorization_servers']).length > 0) return [];
        const issuer = rawText(metadata, 'issuer');
        const fix = issuer && `"authorization_servers": ["${displayText(issuer, 200)}"]`;
        return breach(name, ['authorization_servers'], undefined, fix);
      }),
  },
  'scopes-missing': {
    ofServices: true,
    holds: 'The metadata of the resource, or of its server, lists the scopes.',
    why: 'Agents ask for the least that they need, and show their user what that is.',
    says: 'Neither the resource nor its server lists scopes.',
    instead: '"scopes_supported": ["api.read", "api.write"]',
    find: (read) =>
      listedBy(read, 'scopes_supported').length === 0 &&
      read.resources.slice(0, 1).map(({ name }) => breach(name, ['scopes_supported'])),
  },
  'bearer-methods': {
    ofServices: true,
    holds: 'bearer_methods_supported has header, and nothing but header, body and query.',
    why: 'Agents send their token in the Authorization header.',
    source: 'RFC 9728 §2',
    instead: '"bearer_methods_supported": ["header"]',
    find: (read) => {
      const [first] = read.resources;
      const methods = listedBy(read, 'bearer_methods_supported');
      const isKnown = methods.every((method) => METHODS.includes(method));
      if (first === undefined || (isKnown && methods.includes('header'))) return [];
      // Optional in RFC 9728: where the server is one of OAuth alone, nobody asks for it.
      const isLeftOut = !Object.hasOwn(first.json, 'bearer_methods_supported');
      const isOAuthAlone = read.metadata !== undefined && read.verdict === 'plain_oauth';
      if (isLeftOut && isOAuthAlone) return [];
      const message = isKnown
        ? 'Nothing says that tokens are taken in the Authorization header.'
        : 'A way to send tokens is listed that no agent knows.';
      return [breach(first.name, ['bearer_methods_supported'], message)];
    },
  },
  'empty-list': {
    ofServices: true,
    holds: 'No list is empty, but response_types_supported and bearer_methods_supported.',
    why: 'What there is none of is left out; a reader takes an empty list for a mistake.',
    source: 'RFC 8414 §3.2, RFC 9728 §3.2',
    sourceInResource: 'RFC 9728 §3.2',
    instead: 'Leave it out, or list what there is.',
    find: ({ all, metadata, resources }) =>
      all
        .filter((each) => each.json === metadata || resources.includes(each))
        .flatMap(({ json, name }) =>
          Object.entries(json)
            .filter(([, value]) => Array.isArray(value) && value.length === 0)
            .filter(([member]) => !MAY_BE_EMPTY.includes(member))
            .map(([member]) => {
              const message = `${displayText(member, 60)} is empty.`;
              return breach(name, [member], message);
            }),
        ),
  },
  'skill-missing': {
    severityElsewhere: 'warning',
    ofServices: true,
    holds: 'agent_auth names the skill file.',
    why: 'It tells a model what the metadata cannot: what the service is, and what to ask its user.',
    says: 'It names no skill file.',
    instead: '"skill": the URL of auth.md',
    find: (read) =>
      read.blocks.flatMap(({ document, members, path }) => {
        const isNamed = ['skill', 'skill_uri', 'skill_url'].some((name) =>
          Object.hasOwn(members, name),
        );
        const isRequired = members === newer(read).members;
        if (isNamed && (!isRequired || rawText(members, 'skill') !== undefined)) return [];
        return breach(document, [...path, 'skill']);
      }),
  },
  'skill-not-a-url': {
    severityElsewhere: 'warning',
    ofServices: true,
    holds: 'skill is the URL of the skill file.',
    why: 'Agents fetch it; a sentence in its place is lost.',
    fix: dropUrl,
    find: (read) => badUrls(read, 'skill-not-a-url'),
  },
  'register-url-older-name': {
    severityElsewhere: 'warning',
    holds: 'The URL to register at is in identity_endpoint; register_uri may stand beside it.',
    why: 'register_uri alone is of v0.1; what came after reads identity_endpoint, scanners register_uri.',
    source: 'the published families: register_uri in v0.1, identity_endpoint since v0.2',
    says: 'The URL has the name of version 0.1 alone.',
    instead:
      'Add identity_endpoint with the same URL; whoever has it also states claim_endpoint and revocation_endpoint.',
    find: ({ document, chosen, registers }) =>
      chosen?.age === 'old' &&
      !registers.some(({ age }) => age === 'new') &&
      breach(document, chosen.path),
  },
  'register-url-unknown-name': {
    severityElsewhere: 'warning',
    holds: 'The URL to register at has a name that a published family uses.',
    why: 'A member of another name is not read.',
    says: 'The URL has a name that no version of this protocol uses.',
    instead: 'Name it identity_endpoint.',
    fix: rightName,
    find: ({ document, chosen }) => chosen?.age === 'unknown' && breach(document, chosen.path),
  },
  'identity-types-older-name': {
    severityElsewhere: 'warning',
    holds: 'The list of identity types is named identity_types_supported.',
    why: 'supported_identity_types is a word of scanners alone; no published family has it.',
    source: 'the published families, v0.1 to v0.7',
    instead: 'Name the list identity_types_supported.',
    fix: rightName,
    find: ({ document, path, types: { member } }) =>
      member !== undefined &&
      member !== 'identity_types_supported' &&
      breach(document, [...path, member], `The identity types are in ${member}.`),
  },
  'identity-type-unknown': {
    severityElsewhere: 'warning',
    holds: 'Each identity type is anonymous, identity_assertion or service_auth.',
    why: 'Agents do not know how to register by another.',
    fix: nameTypes,
    find: ({ document, path, types: { known, member, unknown } }) =>
      // Where none is known, one finding says it.
      (known.length === 0 && member !== undefined ? [] : unknown).map((name) => {
        const at = [...path, member ?? 'identity_types_supported'];
        const message = `The identity type ${name} is not one of this protocol.`;
        return breach(document, at, message, typesInstead([name], 'Use'));
      }),
  },
  'assertion-types-missing': {
    severityElsewhere: 'warning',
    holds: 'Where identity_assertion is listed, so are the assertions that are taken.',
    why: 'An agent that has an ID-JAG, and one that has an email address, need to know whether theirs is.',
    find: (read) =>
      read.blocks.flatMap(({ document, members, path }) => {
        const types = objectOf(members['identity_assertion'])['assertion_types_supported'];
        const isListed = listOf(types).includes(ID_JAG_TOKEN_TYPE);
        const isRequired = members === newer(read).members;
        if (!takesIdJags(members) || isListed || (Array.isArray(types) && !isRequired)) return [];
        const message = Array.isArray(types)
          ? 'identity_assertion is listed, but an ID-JAG is none of the assertions that are taken.'
          : 'identity_assertion is listed, but not which assertions are taken.';
        const fix = `"identity_assertion": { "assertion_types_supported": ["${ID_JAG_TOKEN_TYPE}"] }`;
        return breach(document, [...path, 'identity_assertion'], message, fix);
      }),
  },
  'claim-endpoint-missing': {
    severityElsewhere: 'warning',
    holds: 'Where users claim registrations, claim_endpoint says where a claim is started.',
    why: 'An agent that registered alone cannot bring in its user otherwise.',
    instead: 'Name the URL in claim_endpoint.',
    find: (read) => {
      const { block, chosen, document, endpoints, path, types } = read;
      const isAsked = types.known.some((type) => type !== 'identity_assertion');
      const isLacking = chosen !== undefined && isAsked && endpoints.claim === undefined;
      const required = newer(read).members;
      const isRequired = required && rawText(required, 'claim_endpoint') === undefined;
      if (block === undefined || !(isLacking || isRequired)) return [];
      const message = isLacking
        ? 'Nothing says where a claim is started; an answer may still name it.'
        : 'There is no claim_endpoint.';
      return [breach(document, [...path, 'claim_endpoint'], message)];
    },
  },
  'token-endpoint-missing': {
    severityElsewhere: 'warning',
    holds:
      'Where the JWT-bearer grant or a claim grant is listed, token_endpoint says where it is used. Without them this is a warning: a registration may itself give a credential, as in v0.1.',
    why: 'Agents stop after the registration, without a token.',
    source: 'RFC 8414 §2',
    instead: 'Name the URL where an assertion is exchanged (RFC 8414 §2).',
    find: ({ block, chosen, endpoints, grants, claimGrant, isWhole }) => {
      if (block === undefined || chosen === undefined || !isWhole || endpoints.token) return [];
      const misleads = grants.includes(JWT_BEARER_GRANT) || claimGrant !== undefined;
      const message = misleads
        ? 'Grants are listed, but no token endpoint to use them at.'
        : 'There is no token endpoint: the registration itself has to give a credential.';
      return [{ ...breach('server', ['token_endpoint'], message), misleads }];
    },
  },
  'grants-unfit': {
    severityElsewhere: 'warning',
    holds: 'grant_types_supported has a grant by which a registered agent gets a token.',
    why: 'By the list agents choose how to go on.',
    find: (read) => {
      const { chosen, endpoints, grants, claimGrant, server } = read;
      const isBearer = grants.includes(JWT_BEARER_GRANT);
      const isListed = memberOf(server, 'grant_types_supported') !== undefined;
      const isUnfit =
        chosen !== undefined && endpoints.token !== undefined && isListed && !claimGrant;
      const isRequired = newer(read).server !== undefined;
      if (isBearer || !(isUnfit || isRequired)) return [];
      const message = isUnfit
        ? 'No grant is listed by which a registered agent gets a token.'
        : 'The grant is not listed by which an identity assertion is exchanged for a token.';
      const fix = `List ${JWT_BEARER_GRANT}, and a claim grant where agents poll.`;
      return [breach('server', ['grant_types_supported'], message, fix)];
    },
  },
  'claim-grant-missing': {
    holds:
      'Where claim_endpoint is named, grant_types_supported has the grant that collects a claim. Not asked where agents hand in the code, nor of v0.1.',
    why: 'Agents have nothing to poll with while their user completes the claim.',
    find: (read) => {
      const { members = {}, server } = newer(read);
      if (server === undefined) return [];
      const hasClaim = rawText(members, 'claim_endpoint') !== undefined;
      const isListed = listOf(server['grant_types_supported']).some(
        (grant) => isClaimGrant(grant) || grant === members['claim_grant_type'],
      );
      if (!hasClaim || isListed || read.families[0] !== 'flat') return [];
      const right = `[…, "urn:…${CLAIM_GRANT_ENDINGS[0]}"]`;
      return lacking('server', ['grant_types_supported'], server, right);
    },
  },
  'revocation-endpoint-missing': {
    holds: 'revocation_endpoint says where tokens are revoked. Not asked of v0.1.',
    why: 'An agent that leaves hands its token back there.',
    find: (read) => {
      const { server } = newer(read);
      const right = 'the URL that revokes tokens';
      return (
        server !== undefined &&
        rawText(server, 'revocation_endpoint') === undefined &&
        lacking('server', ['revocation_endpoint'], server, right)
      );
    },
  },
  'events-endpoint-missing': {
    holds: 'Where identity_assertion is listed, events_endpoint takes events. Not asked of v0.1.',
    why: 'A provider reports there that its user has taken back what an ID-JAG was good for.',
    find: (read) => {
      const { members = {}, path } = newer(read);
      if (!takesIdJags(members) || rawText(members, 'events_endpoint') !== undefined) return [];
      const at = [...path, 'events_endpoint'];
      return lacking('server', at, members, 'the URL that takes events');
    },
  },
  'events-missing': {
    holds:
      'Where events are taken, events_supported has one that ends in /identity/assertion/revoked. Not asked of v0.1.',
    why: 'Providers send the event that is listed.',
    find: (read) => {
      const { members = {}, path } = newer(read);
      const takesEvents = takesIdJags(members) || members['events_endpoint'] !== undefined;
      if (!takesEvents || listOf(members['events_supported']).some(isRevocation)) return [];
      const right = `["https://…${REVOKED_EVENT_ENDING}"]`;
      return lacking('server', [...path, 'events_supported'], members, right);
    },
  },
} as const satisfies Readonly<Record<string, Rule>>;

/**
 * The block of the server, where the family is one that the specification describes; the documents of an older one
 * have other members. Where nobody can register, that is said by itself.
 */
function newer({ blocks, families, metadata, verdict }: Read) {
  const isNewer = (verdict === 'usable' || verdict === 'choice') && families[0] !== 'first';
  const block = isNewer ? blocks.find(({ document }) => document === 'server') : undefined;
  // A block alone has nothing around it.
  return { members: block?.members, path: block?.path ?? [], server: block && metadata };
}

/** What resources and their server list, together: the specification shows one document that is both. */
function listedBy({ metadata = {}, resources }: Read, member: string): readonly unknown[] {
  return [...resources.map(({ json }) => json), metadata].flatMap((json) => listOf(json[member]));
}

function takesIdJags(members: Block['members']): boolean {
  return listOf(members['identity_types_supported']).includes('identity_assertion');
}

function isRevocation(event: unknown): boolean {
  return typeof event === 'string' && event.endsWith(REVOKED_EVENT_ENDING);
}
