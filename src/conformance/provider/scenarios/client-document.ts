import {
  ID_JAG_GRANT_PROFILE,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../protocol/index.ts';
import { NotApplicable } from '../../engine/judge.ts';
import { has, member } from '../../engine/rows.ts';
import { isObject } from '../../http/answer.ts';
import { PRIVATE_MEMBERS } from '../../jwt/key.ts';
import { clientDocumentUrl } from '../provider-facts.ts';
import { providerScenario } from '../provider-scenario.ts';
import { isHttpsUrl } from '../steps/urls.ts';

const SECRET_MEMBERS = ['client_secret', 'client_secret_expires_at', 'registration_access_token'];

export const clientDocument = providerScenario({
  id: 'client-document',
  title: 'The provider publishes the client document of its agent',
  safe: true,
  checks: {
    found: 'The client ID metadata document is answered with 200 as JSON at /agent-auth.json.',
    'client-id':
      'Its client_id is its own URL: https (http on loopback), with a path, without a fragment.',
    'no-secrets': 'It has no secret, no private key and no auth method with a secret.',
    'grant-pair':
      'With the ID-JAG grant profile it lists the grants token exchange and JWT bearer.',
  },
  async run(judge, world) {
    const url = clientDocumentUrl(world.facts);
    const answer = await world.send(url);
    const document = answer.json;
    const found = answer.status === 200 && isObject(document);
    const isJson = /^application\/([\w.-]+\+)?json$/.test(answer.mediaType);
    judge.expect('found', found && isJson, answer);
    if (!found) throw new NotApplicable(`There is no client document at ${url}.`);
    const method = document['token_endpoint_auth_method'];
    const leaks = [
      ...SECRET_MEMBERS.filter((name) => name in document),
      ...(typeof method === 'string' && /secret/.test(method) ? [method] : []),
      ...privateMembers(document['jwks']),
    ];
    const profiles = document['authorization_grant_profiles_supported'];
    const hasProfile = has(ID_JAG_GRANT_PROFILE)(profiles);
    if (!hasProfile) judge.skip('grant-pair', 'The document does not name the grant profile.');
    judge.table(answer, {
      'client-id': member('client_id', (id) => id === url && isPlain(url), {
        expected: `client_id: ${url}`,
      }),
      'no-secrets': { ok: leaks.length === 0, seen: leaks.join(', ') },
      'grant-pair': hasProfile
        ? member('grant_types', (list) =>
            [TOKEN_EXCHANGE_GRANT, JWT_BEARER_GRANT].every((grant) => has(grant)(list)),
          )
        : undefined,
    });
  },
});

function privateMembers(jwks: unknown): readonly string[] {
  const keys = isObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys)) return [];
  return keys.filter(isObject).flatMap((key) => PRIVATE_MEMBERS.filter((name) => name in key));
}

/** CIMD §3: a path, no user, no fragment, no dot segments. */
function isPlain(url: string): boolean {
  const { hash, href, pathname, username } = new URL(url);
  return isHttpsUrl(url) && href === url && pathname !== '/' && hash === '' && username === '';
}
