import { NotApplicable, shown } from '../../../engine/judge.ts';
import { isObject } from '../../../http/answer.ts';
import { thumbprint } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';

const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const JSON_TYPES = ['application/json', 'application/jwk-set+json'];

export const serviceKeys = serviceScenario({
  id: 'service-keys',
  title: 'The service publishes the keys that verify its assertions',
  safe: true,
  checks: {
    served: 'The key set is a JSON object with keys.',
    'media-type': 'It is sent as a JSON type.',
    'public-alone': 'No key shows a private member.',
    kids: 'Each key has a kid of its own.',
    thumbprints: 'The kid of each key is its thumbprint.',
    use: 'Where keys to sign and keys to encrypt mix, each says its use.',
  },
  async run(judge, world) {
    const { jwksUri } = world.facts;
    if (jwksUri === undefined) throw new NotApplicable("The service's metadata names no jwks_uri.");
    const answer = await world.send(jwksUri);
    const at = { exchange: answer.exchange };
    const listed = answer.member('keys');
    const keys = (Array.isArray(listed) ? listed : []).filter(isObject);
    judge.expect('served', answer.status === 200 && keys.length > 0, answer);
    if (keys.length === 0) return;
    judge.expect(
      'media-type',
      JSON_TYPES.includes(answer.mediaType),
      `Content-Type: ${answer.header('content-type') ?? 'none'}`,
      { expected: JSON_TYPES.join(' or '), ...at },
    );
    const shownPrivate = keys.flatMap((key) => PRIVATE.filter((name) => key[name] !== undefined));
    judge.expect(
      'public-alone',
      shownPrivate.length === 0,
      `The members ${shownPrivate.join(', ')} are published.`,
      { ...at },
    );
    const kids = keys.map(({ kid }) => kid);
    judge.expect(
      'kids',
      kids.every((kid) => typeof kid === 'string') && new Set(kids).size === kids.length,
      shown(kids),
      { ...at },
    );
    for (const key of keys) {
      const right = thumbprint(key);
      // Kinds without a thumbprint that we know of are nobody's fault.
      judge.expect('thumbprints', right === '' || key['kid'] === right, shown(key['kid']), {
        expected: `${right}, the SHA-256 thumbprint (RFC 7638 §3)`,
        ...at,
      });
    }
    const uses = keys.map(({ use }) => use);
    judge.expect(
      'use',
      !uses.includes('enc') || uses.every((use) => use !== undefined),
      shown(uses),
      { ...at },
    );
  },
});
