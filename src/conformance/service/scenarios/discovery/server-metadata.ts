import {
  CLAIM_GRANT_ENDINGS,
  ID_JAG_GRANT_PROFILE,
  JWT_BEARER_GRANT,
} from '../../../../protocol/index.ts';
import { NotApplicable, type Reading, shown } from '../../../engine/judge.ts';
import {
  errorCode,
  failing,
  has,
  is,
  isPresent,
  isText,
  mediaType,
  member,
  refused,
  when,
} from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { PRIVATE_MEMBERS, thumbprint } from '../../../jwt/forge.ts';
import { serviceScenario } from '../../service-world.ts';
import { isIssuer, isList, noEmptyLists, serverDocument } from '../../steps/metadata-documents.ts';
import { mustBeAccepted } from '../../steps/present-id-jag.ts';
import { isSecureUrl } from '../../steps/urls.ts';

const AUTH_METHODS = [
  ['token_endpoint', 'token_endpoint_auth_methods_supported'],
  ['revocation_endpoint', 'revocation_endpoint_auth_methods_supported'],
] as const;

const isListOfNames = (list: unknown) => Array.isArray(list) && list.every(isText);

export const serverMetadata = serviceScenario({
  id: 'server-metadata',
  title: 'The authorization server publishes its metadata',
  safe: true,
  checks: {
    inserted: 'The metadata is at the well-known path between host and path of the issuer.',
    'media-type': 'The metadata is sent as application/json.',
    issuer: '`issuer` is an https URL, or http on loopback, without query and fragment.',
    'same-issuer': '`issuer` is exactly what the resource lists in `authorization_servers`.',
    'token-endpoint': '`token_endpoint` is an https URL, or http on loopback.',
    'revocation-endpoint': '`revocation_endpoint` is an https URL, or http on loopback.',
    'bearer-grant': `\`grant_types_supported\` has ${JWT_BEARER_GRANT}.`,
    'claim-grant':
      'Where a claim is offered, `grant_types_supported` has a grant ending in :grant-type:claim.',
    'response-types': '`response_types_supported` is a list, if only an empty one.',
    'public-clients': 'The auth methods of the token and revocation endpoints include `none`.',
    'id-jag-profile':
      'Where ID-JAGs are taken, their grant profile and the JWT-bearer grant are listed.',
    'silent-on-trust': 'The metadata does not disclose which providers are trusted.',
    'no-empty-members':
      'No list is empty, except response_types_supported or bearer_methods_supported.',
    'protected-resources': 'Where `protected_resources` is listed, the resource is among them.',
  },
  async run(judge, world) {
    const { answer, entry, inserted, url } = await serverDocument(world);
    const { claimEndpoint, claimGrant, identityTypes, resourceMetadata } = world.facts;
    const { resource } = resourceMetadata;
    const { provider, other } = world.providers;
    const offersClaim = claimEndpoint !== undefined;
    const takesIdJag = identityTypes.includes('identity_assertion');
    const trusted = [provider, other].map(({ issuer }) => issuer);
    const disclosed = trusted.filter((issuer) => answer.text.includes(`"${issuer}"`));
    const takesBearerGrant = has(JWT_BEARER_GRANT)(answer.member('grant_types_supported'));
    const methods = AUTH_METHODS.filter(([endpoint]) => answer.member(endpoint) !== undefined);
    const isProfiled = (list: unknown) =>
      isList(list) && list.includes(ID_JAG_GRANT_PROFILE) && takesBearerGrant;
    const isAmong = (list: unknown) => !Array.isArray(list) || list.includes(resource);
    const isEntry = member('issuer', is(entry), {
      expected: `${entry}, as in authorization_servers`,
    });
    judge.table(answer, {
      inserted: { ok: inserted, seen: `It is at ${url}.` },
      'media-type': mediaType('application/json'),
      issuer: member('issuer', isIssuer),
      'same-issuer': entry === undefined ? undefined : isEntry,
      'token-endpoint': member('token_endpoint', isSecureUrl),
      'revocation-endpoint': member('revocation_endpoint', isSecureUrl),
      'bearer-grant': member('grant_types_supported', has(JWT_BEARER_GRANT)),
      'claim-grant': member('grant_types_supported', when(offersClaim, has(claimGrant))),
      // RFC 8414 §2 requires it, though §3.2 has empty lists left out.
      'response-types': member('response_types_supported', isListOfNames),
      // RFC 8414 §2: without the member, clients have to authenticate.
      'public-clients': methods.map(([, name]) => member(name, has('none'))),
      'id-jag-profile': member(
        'authorization_grant_profiles_supported',
        when(takesIdJag, isProfiled),
      ),
      'silent-on-trust': { ok: disclosed.length === 0, seen: `It names ${disclosed.join(', ')}.` },
      'no-empty-members': noEmptyLists('response_types_supported', 'bearer_methods_supported'),
      'protected-resources': member('protected_resources', isAmong, {
        expected: `${shown(resource)} in protected_resources`,
      }),
    });
  },
});

export const clientDocuments = serviceScenario({
  id: 'client-documents',
  title: 'A service that fetches client documents advertises it',
  checks: {
    declared:
      'Where a client document is fetched, `client_id_metadata_document_supported` is true.',
  },
  costly: true,
  async run(judge, world) {
    world.needType('identity_assertion');
    const { provider } = world.providers;
    const path = new URL(provider.clientId).pathname;
    const before = provider.hits.length;
    await mustBeAccepted(world);
    const isFetched = provider.hits.slice(before).some((hit) => path.endsWith(hit.path));
    const isDeclared = when(isFetched, is(true));
    judge.table(
      world.facts.metadata,
      { declared: member('client_id_metadata_document_supported', isDeclared) },
      { case: `It fetched ${path}` },
    );
  },
});

export const serviceKeys = serviceScenario({
  id: 'service-keys',
  title: 'The service publishes the keys that verify its assertions',
  safe: true,
  checks: {
    served: 'The key set at jwks_uri is a JSON object with keys, answered with 200.',
    'media-type': 'The key set is sent as application/json or application/jwk-set+json.',
    'public-alone': 'No key has a private member.',
    kids: 'Each key has a unique kid.',
    thumbprints: 'The kid of each key is its thumbprint.',
    use: 'Where keys for signing and encryption mix, each has a `use`.',
  },
  async run(judge, world) {
    const { jwksUri } = world.facts;
    if (jwksUri === undefined) throw new NotApplicable("The service's metadata names no jwks_uri.");
    const answer = await world.send(jwksUri);
    const listed = answer.member('keys');
    const keys = (Array.isArray(listed) ? listed : []).filter(isObject);
    judge.expect('served', answer.status === 200 && keys.length > 0, answer);
    if (keys.length === 0) return;
    const exposed = keys.flatMap((key) =>
      PRIVATE_MEMBERS.filter((name) => key[name] !== undefined),
    );
    const kids = keys.map(({ kid }) => kid);
    const uses = keys.map(({ use }) => use);
    judge.table(answer, {
      'media-type': mediaType('application/json', 'application/jwk-set+json'),
      'public-alone': { ok: exposed.length === 0, seen: `It has ${exposed.join(', ')}.` },
      kids: { ok: kids.every(isText) && new Set(kids).size === kids.length, seen: shown(kids) },
      use: { ok: !uses.includes('enc') || uses.every(isPresent), seen: shown(uses) },
      thumbprints: keys.map(isThumbprint),
    });
  },
});

/** RFC 7638 §3. A key of a type that the suite cannot hash is let pass. */
function isThumbprint(key: Readonly<Record<string, unknown>>): Reading {
  const right = thumbprint(key);
  const expected = `${right}, the SHA-256 thumbprint (RFC 7638 §3)`;
  return { ok: right === '' || key['kid'] === right, seen: `kid: ${shown(key['kid'])}`, expected };
}

/** Grants that this protocol does not need. */
const OTHERS = [
  'authorization_code',
  'client_credentials',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];

const CLIENT_FIRST =
  'RFC 6749 §5.2 lets a service look at the client before it looks at the grant.';

export const grants = serviceScenario({
  id: 'grants',
  title: 'The token endpoint takes exactly the grants that the metadata lists',
  safe: true,
  checks: {
    listed: 'The token endpoint supports each grant of the protocol that is listed.',
    unlisted: 'A grant that is not listed gives no token.',
    'unlisted-code': 'A grant that is not listed is answered unsupported_grant_type.',
  },
  resting: { 'grants.listed': ['unlisted-code'] },
  async run(judge, world) {
    const { invented } = world;
    const { grantTypes } = world.facts;
    const ours = grantTypes.filter(
      (type) =>
        type === JWT_BEARER_GRANT || CLAIM_GRANT_ENDINGS.some((ending) => type.endsWith(ending)),
    );
    const known = new Set<string>();
    const unknown = await world.client.token({ grant_type: invented.urn() });
    for (const type of ours) {
      const answer = await world.client.token({
        grant_type: type,
        assertion: invented.token(),
        claim_token: invented.token(),
      });
      // Whoever takes made-up values, or has nothing at this URL, has not looked at the grant.
      const isRead = answer.refused && ![404, 405].includes(answer.status);
      const isKnown = isRead && answer.errorCode !== 'unsupported_grant_type';
      known.add(`${answer.status} ${answer.errorCode}`);
      // One that is answered like a grant that does not exist was perhaps not looked at.
      const isTold = answer.describe() !== unknown.describe();
      if (!isKnown || isTold) {
        judge.expect('listed', isKnown, answer, { case: type, ...failing(answer) });
      }
    }
    judge.untestable(
      'listed',
      `A grant that does not exist is answered alike (${unknown.describe()}).`,
    );
    for (const type of [...OTHERS, invented.urn()].filter((other) => !grantTypes.includes(other))) {
      const answer = await world.client.token({ grant_type: type });
      const isOfClient = is('invalid_client', 'unauthorized_client')(answer.errorCode);
      const reading = isOfClient ? CLIENT_FIRST : undefined;
      const more = { case: type };
      judge.table(
        answer,
        { 'unlisted-code': errorCode('unsupported_grant_type', { reading }) },
        more,
      );
      // An endpoint that refuses the listed ones in the same words refuses no grant.
      if (answer.refused && known.has(`${answer.status} ${answer.errorCode}`)) continue;
      judge.table(answer, { unlisted: refused }, more);
    }
    const reason = 'A listed grant was answered like one that is not.';
    judge.skip('unlisted', reason);
  },
});
