import { ID_JAG_GRANT_PROFILE, JWT_BEARER_GRANT } from '../../../../protocol/index.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { emptyMembers, isList, judgePublic } from '../../steps/members.ts';
import { membersOf, serverDocument } from '../../steps/metadata-documents.ts';
import { isSecureUrl, shown } from '../../steps/urls.ts';

export const serverMetadata = serviceScenario({
  id: 'server-metadata',
  title: 'The metadata of the authorization server is there, and right',
  safe: true,
  checks: {
    inserted: 'The metadata lies at the well-known path between host and path of the issuer.',
    'media-type': 'It is sent as application/json.',
    issuer: 'Its issuer is an https address without query and fragment.',
    'same-issuer': 'Its issuer is, letter for letter, what the resource calls its server.',
    'no-final-slash': 'The issuer has no final slash.',
    'token-endpoint': 'It names a safe address as token_endpoint.',
    'revocation-endpoint': 'It names a safe address as revocation_endpoint.',
    'jwks-uri': 'It names a safe address as jwks_uri.',
    'bearer-grant': 'It lists the JWT-bearer grant.',
    'claim-grant': 'It lists a claim grant where a claim is offered.',
    'response-types': 'It lists response types, if only none.',
    'no-response-types': 'Its list of response types is empty.',
    'public-clients':
      'It says that token and revocation endpoint take clients that do not authenticate.',
    'none-alone': 'It lists no other way to authenticate.',
    'id-jag-profile':
      'Where ID-JAGs are taken, it lists their grant profile, with the JWT-bearer grant.',
    'silent-on-trust': 'It does not tell which providers are trusted.',
    'no-empty-members': 'It leaves out lists without elements, but for response_types_supported.',
    'protected-resources':
      'Where it lists the resources that it protects, the resource is among them.',
    cacheable: 'It may be kept by every cache.',
    'any-origin': 'It may be read from every origin.',
  },
  async run(judge, world) {
    const found = await serverDocument(world);
    const at = { exchange: found.answer.exchange };
    const members = membersOf(found);
    judge.expect('inserted', found.inserted, `It is at ${found.url}.`, at);
    judge.expect(
      'media-type',
      found.answer.mediaType === 'application/json',
      `Content-Type: ${found.answer.header('content-type') ?? 'none'}`,
      { ...at },
    );
    const { issuer } = members;
    const isRight = isSecureUrl(issuer) && !issuer.includes('?');
    judge.expect('issuer', isRight, shown(issuer), at);
    if (found.entry !== undefined) {
      judge.expect('same-issuer', issuer === found.entry, shown(issuer), {
        expected: `${found.entry}, as in authorization_servers`,
        ...at,
      });
    }
    judge.expect(
      'no-final-slash',
      !(typeof issuer === 'string' && issuer.endsWith('/')),
      shown(issuer),
      { warn: true, ...at },
    );
    for (const [check, name] of ADDRESSES) {
      judge.expect(check, isSecureUrl(members[name]), shown(members[name]), {
        expected: `an absolute https address (http on loopback alone) as ${name}`,
        ...at,
      });
    }
    const grants = members['grant_types_supported'];
    const listed = Array.isArray(grants) ? grants : [];
    judge.expect('bearer-grant', listed.includes(JWT_BEARER_GRANT), shown(grants), {
      expected: `${JWT_BEARER_GRANT} in grant_types_supported`,
      ...at,
    });
    const offersClaim = world.facts.claimEndpoint !== undefined;
    const { claimGrant } = world.facts;
    judge.expect('claim-grant', !offersClaim || listed.includes(claimGrant), shown(grants), {
      ...at,
    });
    const responses = members['response_types_supported'];
    judge.expect(
      'response-types',
      Array.isArray(responses),
      // RFC 8414 §2 demands it, §3.2 has empty lists left out.
      shown(responses),
      { warn: responses === undefined, ...at },
    );
    judge.expect(
      'no-response-types',
      Array.isArray(responses) && responses.length === 0,
      shown(responses),
      { ...at },
    );
    for (const [endpoint, name] of AUTH_METHODS) {
      if (members[endpoint] === undefined) continue;
      const methods = members[name];
      judge.expect(
        'public-clients',
        Array.isArray(methods) && methods.includes('none'),
        shown(methods),
        {
          expected: `\`none\` in ${name}: without it, clients have to authenticate (RFC 8414 §2)`,
          ...at,
        },
      );
      judge.expect(
        'none-alone',
        !Array.isArray(methods) || methods.every((each) => each === 'none'),
        shown(methods),
        { expected: `["none"] as ${name}`, ...at },
      );
    }
    const profiles = members['authorization_grant_profiles_supported'];
    const takesIdJag = world.facts.identityTypes.includes('identity_assertion');
    const isListed = isList(profiles) && profiles.includes(ID_JAG_GRANT_PROFILE);
    judge.expect(
      'id-jag-profile',
      !takesIdJag || (isListed && listed.includes(JWT_BEARER_GRANT)),
      shown(profiles),
      { expected: `${ID_JAG_GRANT_PROFILE} in authorization_grant_profiles_supported`, ...at },
    );
    const { provider, other } = world.providers;
    const told = [provider, other].filter(({ issuer: trusted }) =>
      found.answer.text.includes(`"${trusted}"`),
    );
    judge.expect(
      'silent-on-trust',
      told.length === 0,
      `It names ${told.map(({ issuer: trusted }) => trusted).join(', ')}.`,
      { ...at },
    );
    const empty = emptyMembers(members, ['response_types_supported', 'bearer_methods_supported']);
    judge.expect('no-empty-members', empty.length === 0, `${empty.join(', ')} without elements`, {
      ...at,
    });
    const covered = members['protected_resources'];
    const own = world.facts.resourceMetadata['resource'];
    judge.expect(
      'protected-resources',
      !Array.isArray(covered) || covered.includes(own),
      shown(covered),
      { expected: `${shown(own)} in protected_resources, as it names this server`, ...at },
    );
    judgePublic(judge, found.answer);
  },
});

const ADDRESSES = [
  ['token-endpoint', 'token_endpoint'],
  ['revocation-endpoint', 'revocation_endpoint'],
  ['jwks-uri', 'jwks_uri'],
] as const;

const AUTH_METHODS = [
  ['token_endpoint', 'token_endpoint_auth_methods_supported'],
  ['revocation_endpoint', 'revocation_endpoint_auth_methods_supported'],
] as const;
