import { createHash } from 'node:crypto';
import { BY_ASSERTION, BY_CLAIM } from './agents.ts';
import { type Call, json, oddJson, type Reply } from './http.ts';
import { ALL, type World } from './world.ts';

export function resourceDocument(world: World): object {
  return {
    'x-colour': ['red', null],
    bearer_methods_supported: ['header'],
    resource_name: 'Things',
    'resource_name#de': 'Dinge',
    scopes_supported: ALL,
    authorization_servers: [world.issuer],
    resource: world.resource,
  };
}

export function serverDocument(world: World): object {
  const at = world.issuer;
  return {
    agent_auth: {
      events_supported: [
        'https://things.example/events/other',
        'https://schemas.vendor.example/events/agent/auth/identity/assertion/revoked',
      ],
      identity_assertion: {
        assertion_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
        note: { nested: true },
      },
      identity_types_supported: ['service_auth', 'identity_assertion', 'anonymous'],
      events_endpoint: `${at}/agent/event/notify?v=1`,
      claim_endpoint: `${at}/agent/identity/claim?v=1`,
      identity_endpoint: `${at}/agent/identity?v=1`,
      skill: `${world.origin}/for%20agents.md`,
    },
    grant_types_supported: [BY_CLAIM, 'urn:example:another', BY_ASSERTION],
    revocation_endpoint_auth_methods_supported: ['none'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint: `${at}/oauth2/revoke?v=1`,
    token_endpoint: `${at}/oauth2/token?v=1`,
    response_types_supported: [],
    issuer: at,
    ...resourceDocument(world),
  };
}

/** With a validator, so that who has it need not get it again (RFC 9110 §13.1.2). */
export function document(call: Call, value: object): Reply {
  const etag = `W/"${createHash('sha256').update(oddJson(value)).digest('base64url')}"`;
  const headers = { ETAG: etag, 'cache-CONTROL': 'max-age=60', 'access-control-allow-ORIGIN': '*' };
  if (call.headers['if-none-match']?.includes(etag) === true) return { status: 304, headers };
  return json(200, value, headers);
}

export function skill(world: World): Reply {
  const steps = [
    [
      'Discover',
      `Ask for ${world.resource}; follow resource_metadata, then authorization_servers.`,
    ],
    ['Register', `POST JSON with type to ${world.issuer}/agent/identity?v=1.`],
    [
      'Claim',
      `Send claim_token and email to ${world.issuer}/agent/identity/claim?v=1. Poll every 5 seconds.`,
    ],
    ['Exchange', `${BY_ASSERTION} at ${world.issuer}/oauth2/token?v=1.`],
    ['Use', `Bearer tokens, for ${ALL.join(' and ')}.`],
    ['Handle revoke', 'On 401 exchange again; on invalid_grant poll once, then ask your user.'],
  ];
  const body = steps.map(([title, words]) => `${title}\n${'-'.repeat(9)}\n\n${words}\n`).join('\n');
  return {
    status: 200,
    headers: { 'CONTENT-type': 'text/markdown; variant=CommonMark; charset=UTF-8' },
    body,
  };
}

/** Whoever asks is told of two ways in; only the second is for agents. */
export function things(world: World, call: Call): Reply {
  const metadata = world.resource.replace('/t/', '/.well-known/oauth-protected-resource/t/');
  const challenge = (more: string) => ({
    'WWW-authenticate': [
      'Negotiate',
      `Basic realm="people, not agents", bEARER realm="the \\"things\\"", resource_metadata="${metadata}"${more}`,
    ],
    ...{ 'cache-control': 'no-store' },
  });
  const header = call.headers.authorization ?? '';
  if (!/^bearer\b/i.test(header)) return { status: 401, headers: challenge('') };
  const used = world.byToken(/^bearer +([\w~+/.=-]+)$/i.exec(header)?.[1] ?? '');
  if (used === undefined) return { status: 401, headers: challenge(', error=invalid_token') };
  const needed = call.method === 'GET' ? 'things:look' : 'things:touch';
  if (!used.scope.includes(needed)) {
    const more = `, scope="${needed}", error="insufficient_scope"`;
    return { status: 403, headers: challenge(more) };
  }
  const { thing, scope } = used;
  const user = thing.owner === undefined ? null : { email: thing.owner.email };
  const body = { user, scope: scope.join(' '), registration_id: thing.id, things: [] };
  return json(200, body, { 'cache-control': 'NO-STORE' });
}
