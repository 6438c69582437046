import {
  ID_JAG_GRANT_PROFILE,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../protocol/index.ts';
import { NotApplicable } from '../../engine/judge.ts';
import { isObject } from '../../http/answer.ts';
import { clientDocumentUrl } from '../provider-facts.ts';
import { providerScenario } from '../provider-scenario.ts';
import { isSecure, PRIVATE_MEMBERS } from './discovery.ts';

const SECRET_MEMBERS = ['client_secret', 'client_secret_expires_at', 'registration_access_token'];

export const clientDocument = providerScenario({
  id: 'client-document',
  title: 'The provider publishes a document that names its agent',
  safe: true,
  checks: {
    found: 'The client ID metadata document is answered with 200 as JSON at /agent-auth.json.',
    'client-id': 'Its client_id is its own address: https (http on loopback), plain, with a path.',
    'no-secrets': 'It has no secret, no private key, and no authentication by a secret.',
    'grant-pair': 'With the grant profile of ID-JAG it lists token exchange and JWT bearer.',
  },
  async run(judge, world) {
    const address = clientDocumentUrl(world.facts);
    const answer = await world.send(address);
    const document = answer.json;
    const found = answer.status === 200 && isObject(document);
    judge.expect(
      'found',
      found && /^application\/([\w.-]+\+)?json$/.test(answer.mediaType),
      answer,
    );
    if (!found) throw new NotApplicable(`There is no client document at ${address}.`);
    const { client_id: clientId } = document;
    judge.expect(
      'client-id',
      clientId === address && isPlain(address),
      `client_id ${JSON.stringify(clientId)}`,
      { expected: `client_id ${address}`, exchange: answer.exchange },
    );
    const method = document['token_endpoint_auth_method'];
    const leaks = [
      ...SECRET_MEMBERS.filter((name) => name in document),
      ...(typeof method === 'string' && /secret/.test(method) ? [method] : []),
      ...privateMembers(document['jwks']),
    ];
    judge.expect('no-secrets', leaks.length === 0, leaks.join(', '), { exchange: answer.exchange });
    const profiles = document['authorization_grant_profiles_supported'];
    if (!Array.isArray(profiles) || !profiles.includes(ID_JAG_GRANT_PROFILE)) {
      judge.skip('grant-pair', 'The document does not name the grant profile.');
      return;
    }
    const grants = document['grant_types'];
    const pair = [TOKEN_EXCHANGE_GRANT, JWT_BEARER_GRANT];
    judge.expect(
      'grant-pair',
      Array.isArray(grants) && pair.every((g) => grants.includes(g)),
      JSON.stringify(grants ?? null),
      { expected: `${pair.join(' and ')} in grant_types`, exchange: answer.exchange },
    );
  },
});

function privateMembers(jwks: unknown): readonly string[] {
  const keys = isObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys)) return [];
  return keys.filter(isObject).flatMap((key) => PRIVATE_MEMBERS.filter((name) => name in key));
}

/** CIMD §3: a path, no user, no fragment, no dot segments. */
function isPlain(address: string): boolean {
  const { hash, href, pathname, username } = new URL(address);
  return (
    isSecure(address) && href === address && pathname !== '/' && hash === '' && username === ''
  );
}
