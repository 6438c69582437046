import { defect } from '../defect.ts';
import type { Evidence, Offer, Role } from '../model.ts';
import { roleOf } from '../offers.ts';
import { memberOf, namesOf, shown, textOf } from '../read.ts';
import { type Decision, type Question, UNDECIDED } from './decision.ts';

const OAUTH = [
  'authorization_endpoint',
  'token_endpoint',
  'grant_types_supported',
  'response_types_supported',
  'jwks_uri',
  'registration_endpoint',
  'device_authorization_endpoint',
];

/** The documents describe no registration of agents: what they are instead. */
export function withoutBlock({ found, offers, hints }: Question): Decision {
  const { instead, server, resource, unread } = found;
  if (instead !== undefined) {
    const member = 'agent_auth';
    return {
      ...UNDECIDED,
      evidence: [
        {
          document: found.document,
          member,
          value: shown(instead),
          shows: 'no object',
          families: [],
        },
      ],
      defects: [
        defect(
          'agent-auth-not-an-object',
          'error',
          [found.document, member],
          'agent_auth is not an object.',
          'Make it an object with identity_endpoint and identity_types_supported.',
        ),
      ],
      verdict: 'published_only',
      reason: 'agent_auth is not an object, so it says nowhere where agents register.',
    };
  }
  const known = OAUTH.filter((name) => memberOf(server, name) !== undefined);
  if (known.length > 0) {
    const what =
      offers.length === 0
        ? 'nothing that an agent could use'
        : offers.map((offer) => OFFERS[offer]).join(', ');
    return {
      ...UNDECIDED,
      evidence: known.map(
        (member): Evidence => ({
          document: 'server',
          member,
          value: shown(memberOf(server, member)),
          shows: 'a member of OAuth (RFC 8414)',
          families: [],
        }),
      ),
      verdict: 'plain_oauth',
      reason: `${WHAT[roleOf(offers) ?? 'oauth']}; it offers ${what}.`,
    };
  }
  const servers = namesOf(memberOf(resource, 'authorization_servers'), 200);
  if (servers.length > 0 || textOf(memberOf(resource, 'resource')) !== undefined) {
    const at =
      servers.length === 0 ? '' : `; its authorization server is ${servers.slice(0, 3).join(', ')}`;
    return {
      ...UNDECIDED,
      evidence: servers.map(
        (value): Evidence => ({
          document: 'resource',
          member: 'authorization_servers',
          value,
          shows: 'the server whose metadata decides',
          families: [],
        }),
      ),
      verdict: 'plain_oauth',
      reason: `The resource metadata alone says nothing of a registration of agents${at}.`,
    };
  }
  if (hints.length > 0) {
    return {
      ...UNDECIDED,
      verdict: 'published_only',
      reason:
        'Only a skill file is published: its URLs are hints for a reader, and no metadata confirms them.',
    };
  }
  return {
    ...UNDECIDED,
    verdict: 'not_this_protocol',
    reason:
      unread === undefined
        ? (anotherDocument(server) ?? 'Neither a registration of agents nor OAuth is described.')
        : `The document is ${unread} where a JSON object belongs, so it describes nothing.`,
  };
}

/** Documents that agents may meet at well-known places, each by members that it must have. */
const OTHERS: readonly (readonly [members: readonly string[], what: string])[] = [
  [['provider_name', 'modes'], 'the agent-configuration of the Agent Auth Protocol'],
  [['openapi'], 'an OpenAPI description'],
  [['swagger'], 'an OpenAPI description'],
  [['keys'], 'a key set'],
  [['name', 'skills', 'url'], 'an agent card of A2A'],
  [['mcpServers'], 'a configuration of MCP clients'],
];

function anotherDocument(server: Question['found']['server']): string | undefined {
  const found = OTHERS.find(([members]) =>
    members.every((name) => memberOf(server, name) !== undefined),
  );
  return found && `It is ${found[1]}, which describes no registration of this protocol.`;
}

const WHAT: Readonly<Record<Role | 'oauth', string>> = {
  oauth: 'It is OAuth without a registration of agents',
  provider: 'It is an agent provider, where users sign in, and no service that registers agents',
  cross_app:
    'It is for cross-app access alone: clients that are registered redeem ID-JAGs at it, and agents do not register',
};

const OFFERS: Readonly<Record<Offer, string>> = {
  authorization_code: 'the authorization code',
  device_code: 'the device code',
  client_registration: 'client registration (RFC 7591)',
  client_credentials: 'client credentials',
  token_exchange: 'token exchange',
  id_jag_profile: 'ID-JAGs at the token endpoint',
};
