import { NotApplicable, type Reading, shown } from '../../../engine/judge.ts';
import { isPresent, isText, mediaType } from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { PRIVATE_MEMBERS, thumbprint } from '../../../jwt/key.ts';
import { serviceScenario } from '../../service-scenario.ts';

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
