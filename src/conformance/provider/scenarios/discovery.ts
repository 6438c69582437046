import {
  DEVICE_CODE_GRANT,
  ID_JAG_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../../protocol/index.ts';
import { CannotTest } from '../../engine/judge.ts';
import { isObject } from '../../http/answer.ts';
import { thumbprint } from '../../jwt/key.ts';
import { providerScenario } from '../provider-scenario.ts';

/** Members of private and of symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4). */
export const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const KEY_SET_PATH = '/.well-known/jwks.json';

export const providerDiscovery = providerScenario({
  id: 'provider-discovery',
  title: 'The provider publishes its metadata and its keys',
  safe: true,
  checks: {
    metadata: 'The metadata is a JSON object, served as application/json where RFC 8414 puts it.',
    issuer: 'The metadata names the issuer that its own address is made of.',
    'endpoints-secure': 'Every published address is https, or http on loopback.',
    'id-jag-advertised': 'The metadata says that ID-JAGs are minted.',
    'grants-listed': 'The metadata lists token exchange, and the device grant where it is offered.',
    'public-client': 'The metadata lists the authentication method none.',
    forwarded: 'A forwarding header changes nothing in the metadata.',
    'key-set': 'The key set is answered with 200 and at least one key.',
    'key-set-address': 'The key set lies at /.well-known/jwks.json.',
    'key-set-headers': 'The key set is served as JSON, and says how long it may be kept.',
    'keys-public': 'No key has a private or symmetric member.',
    kids: 'Each key has a kid, and no two the same.',
    thumbprints: 'Each kid is the SHA-256 thumbprint of its key.',
  },
  async run(judge, world) {
    const { facts } = world;
    const { metadata } = facts;
    const document = await world.send(facts.metadataAddress);
    judge.expect(
      'metadata',
      document.mediaType === 'application/json' &&
        new URL(facts.metadataAddress).pathname.startsWith(
          '/.well-known/oauth-authorization-server',
        ),
      `${document.mediaType || 'no media type'} at ${facts.metadataAddress}`,
      { exchange: document.exchange },
    );
    judge.expect(
      'issuer',
      metadata['issuer'] === facts.target,
      // One of the two spellings, which agents tell apart (RFC 8414 §3.3).
      `issuer ${JSON.stringify(metadata['issuer'])}`,
      {
        expected: `issuer ${facts.target}`,
        exchange: document.exchange,
        warn: metadata['issuer'] === `${facts.target}/`,
      },
    );
    for (const [name, value] of addressesOf(metadata)) {
      judge.expect('endpoints-secure', isSecure(value), value, {
        expected: `https for ${name}`,
        exchange: document.exchange,
      });
    }
    const types = metadata['identity_chaining_requested_token_types_supported'];
    judge.expect(
      'id-jag-advertised',
      Array.isArray(types) && types.includes(ID_JAG_TOKEN_TYPE),
      JSON.stringify(types ?? null),
      {
        expected: `${ID_JAG_TOKEN_TYPE} in identity_chaining_requested_token_types_supported`,
        exchange: document.exchange,
      },
    );
    const grants = [
      TOKEN_EXCHANGE_GRANT,
      ...(facts.deviceEndpoint === undefined ? [] : [DEVICE_CODE_GRANT]),
    ];
    judge.expect(
      'grants-listed',
      grants.every((grant) => facts.grantTypes.includes(grant)),
      JSON.stringify(metadata['grant_types_supported'] ?? null),
      { expected: `${grants.join(' and ')} in grant_types_supported`, exchange: document.exchange },
    );
    const methods = metadata['token_endpoint_auth_methods_supported'];
    judge.expect(
      'public-client',
      Array.isArray(methods) && methods.includes('none'),
      JSON.stringify(methods ?? null),
      { exchange: document.exchange },
    );
    const host = world.invented.host();
    const forwarded = await world.send(facts.metadataAddress, {
      headers: [
        ['x-forwarded-host', host],
        ['x-forwarded-proto', 'https'],
        ['forwarded', `host=${host};proto=https`],
      ],
    });
    judge.expect('forwarded', !forwarded.text.includes(host), forwarded);

    const { jwksUri } = facts;
    if (jwksUri === undefined) {
      judge.expect('key-set', false, document);
      throw new CannotTest('The metadata names no jwks_uri.');
    }
    const usual = facts.target + KEY_SET_PATH;
    judge.expect('key-set-address', jwksUri === usual, jwksUri, {
      expected: `jwks_uri ${usual}`,
      exchange: document.exchange,
    });
    const keySet = await world.send(jwksUri);
    const listed = keySet.member('keys');
    const keys = Array.isArray(listed) ? listed.filter(isObject) : [];
    if (!judge.expect('key-set', keySet.status === 200 && keys.length > 0, keySet)) {
      throw new CannotTest('There is no key to look at.');
    }
    const isJson = ['application/jwk-set+json', 'application/json'].includes(keySet.mediaType);
    judge.expect(
      'key-set-headers',
      isJson && keySet.header('cache-control') !== undefined,
      `${keySet.mediaType || 'no media type'}, Cache-Control ${keySet.header('cache-control') ?? 'missing'}`,
      { exchange: keySet.exchange },
    );
    const kids = keys.map(({ kid }) => kid);
    judge.expect(
      'kids',
      kids.every((kid) => typeof kid === 'string' && kid !== '') &&
        new Set(kids).size === kids.length,
      JSON.stringify(kids),
      { exchange: keySet.exchange },
    );
    for (const key of keys) {
      const leaked = PRIVATE_MEMBERS.filter((name) => name in key);
      judge.expect(
        'keys-public',
        leaked.length === 0,
        `${leaked.join(', ')} in the key ${JSON.stringify(key['kid'] ?? null)}`,
        { exchange: keySet.exchange },
      );
      const print = thumbprint(key);
      if (print === '' || key['kid'] === undefined) continue;
      judge.expect('thumbprints', key['kid'] === print, `kid ${JSON.stringify(key['kid'])}`, {
        expected: `kid ${print}`,
        exchange: keySet.exchange,
      });
    }
    judge.skip('thumbprints', 'No key has a kid and a type that the suite knows.');
  },
});

function addressesOf(
  metadata: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  return Object.entries(metadata).flatMap(([name, value]): [string, string][] =>
    /(^issuer|_uri|_endpoint)$/.test(name) && typeof value === 'string' ? [[name, value]] : [],
  );
}

/** RFC 9728 §7.1: https; plain http is for loopback alone. */
export function isSecure(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, protocol } = new URL(address);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
