import {
  DEVICE_CODE_GRANT,
  ID_JAG_GRANT_PROFILE,
  ID_JAG_TOKEN_TYPE,
  JWT_BEARER_GRANT,
  TOKEN_EXCHANGE_GRANT,
} from '../../../protocol/index.ts';
import {
  CannotTest,
  type Judge,
  judgePart,
  NeedsOption,
  NotApplicable,
  shown,
} from '../../engine/judge.ts';
import { has, is, member } from '../../engine/rows.ts';
import { isObject } from '../../http/answer.ts';
import { PRIVATE_MEMBERS, thumbprint } from '../../jwt/forge.ts';
import type { OpenedJwt } from '../../jwt/open.ts';
import { clientDocumentUrl, metadataPlaces } from '../provider-facts.ts';
import { type ProviderWorld, providerScenario } from '../provider-world.ts';
import { signedBy } from '../steps/rows.ts';

const KEY_SET_PATH = '/.well-known/jwks.json';

const OF_AGENTS = ['metadata', 'id-jag-advertised', 'public-client', 'key-set-address'] as const;

const NO_METADATA = 'The provider publishes no metadata.';
/** */
const FINAL_SLASH =
  'It differs in a final slash alone, by which RFC 8414 §3.3 tells the two apart.';

export const providerDiscovery = providerScenario({
  id: 'provider-discovery',
  title: 'The provider publishes its metadata and its keys',
  safe: true,
  checks: {
    metadata: 'The metadata is sent as application/json, at the path of RFC 8414.',
    issuer: 'The issuer is the one that the metadata URL is made of.',
    'endpoints-secure': 'Every URL of the metadata is https, or http on loopback.',
    'id-jag-advertised': 'The metadata lists the ID-JAG among its requested token types.',
    'grants-listed':
      'The grant types have token exchange, and the device grant where it is offered.',
    'public-client': 'The auth methods of the token endpoint have none: clients are public.',
    forwarded: 'A forwarding header does not change the metadata.',
    'key-set': 'The key set is answered with 200 and has at least one key.',
    'key-set-address': 'The jwks_uri is /.well-known/jwks.json below the issuer.',
    'key-set-headers': 'The key set is sent as JSON, with Cache-Control.',
    'keys-public': 'No key has a private or symmetric member.',
    kids: 'Each key has its own kid.',
    thumbprints: 'Each kid is the SHA-256 thumbprint of its key.',
  },
  async run(judge, world) {
    const { facts } = world;
    const { metadata, metadataUrl } = facts;
    const document = await world.send(metadataUrl);
    const { exchange } = document;
    const isJsonThere =
      document.mediaType === 'application/json' &&
      new URL(metadataUrl).pathname.startsWith('/.well-known/oauth-authorization-server');
    const grants = [
      TOKEN_EXCHANGE_GRANT,
      ...(facts.deviceEndpoint === undefined ? [] : [DEVICE_CODE_GRANT]),
    ];
    /** What agents alone need of a provider: clients of its own know it by its metadata. */
    const forAgents = <Row>(row: Row) => (facts.isForAgents ? row : undefined);
    const metadataRows = {
      metadata: forAgents({
        ok: isJsonThere,
        seen: `${document.mediaType || 'no type'} at ${metadataUrl}`,
      }),
      issuer: member('issuer', is(facts.target), {
        expected: `issuer: ${facts.target}`,
        reading: metadata['issuer'] === `${facts.target}/` ? FINAL_SLASH : undefined,
      }),
      'endpoints-secure': urlMembers(metadata).map((name) => member(name, isHttpsUrl)),
      'id-jag-advertised': forAgents(
        member('identity_chaining_requested_token_types_supported', has(ID_JAG_TOKEN_TYPE), {
          expected: `${ID_JAG_TOKEN_TYPE} among the requested token types`,
        }),
      ),
      'grants-listed': member('grant_types_supported', (list) =>
        grants.every((grant) => has(grant)(list)),
      ),
      'public-client': forAgents(member('token_endpoint_auth_methods_supported', has('none'))),
    };
    if (!facts.isForAgents)
      judge.skip(OF_AGENTS, 'The provider has clients, and no agent of its own.');
    if (metadataUrl === facts.jwksUri) {
      const places = metadataPlaces(facts.target).join(' or ');
      const none = {
        ok: false,
        expected: `Metadata is published at ${places}, as JSON with issuer, jwks_uri and token_endpoint.`,
        seen: `No metadata is there; the key set alone was found, at ${metadataUrl}.`,
      };
      const secure = metadataRows['endpoints-secure'];
      const rows = { metadata: none, 'id-jag-advertised': none, 'endpoints-secure': secure };
      judge.table(metadata, rows, { exchange });
      judge.skip(Object.keys(metadataRows) as (keyof typeof metadataRows)[], NO_METADATA);
    } else judge.table(metadata, metadataRows, { exchange });
    const host = world.invented.host();
    const forwarded = await world.send(metadataUrl, {
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
    const address = { ok: jwksUri === usual, seen: `jwks_uri ${jwksUri}` };
    judge.table(metadata, { 'key-set-address': forAgents(address) }, { exchange });
    const keySet = await world.send(jwksUri);
    const listed = keySet.member('keys');
    const keys = Array.isArray(listed) ? listed.filter(isObject) : [];
    if (!judge.expect('key-set', keySet.status === 200 && keys.length > 0, keySet)) {
      throw new CannotTest('The key set has no key.');
    }
    const isJson = ['application/jwk-set+json', 'application/json'].includes(keySet.mediaType);
    const cacheControl = keySet.header('cache-control');
    const kids = keys.map(({ kid }) => kid);
    const isNamed = kids.every((kid) => typeof kid === 'string' && kid !== '');
    judge.table(keySet, {
      'key-set-headers': {
        ok: isJson && cacheControl !== undefined,
        seen: `${keySet.mediaType || 'no media type'}, Cache-Control: ${cacheControl ?? 'none'}`,
      },
      kids: { ok: isNamed && new Set(kids).size === kids.length, seen: shown(kids) },
      'keys-public': keys.map((key) => {
        const leaked = PRIVATE_MEMBERS.filter((name) => name in key);
        return {
          ok: leaked.length === 0,
          seen: leaked.join(', '),
          case: `kid ${shown(key['kid'])}`,
        };
      }),
      thumbprints: keys.map((key) => {
        const print = thumbprint(key);
        if (print === '' || key['kid'] === undefined) return undefined;
        return { ok: key['kid'] === print, seen: `kid ${shown(key['kid'])}, thumbprint ${print}` };
      }),
    });
    judge.skip('thumbprints', 'No key has a kid and a known type.');
  },
});

/** The members of metadata that are URLs. */
function urlMembers(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(metadata).filter(
    (name) => /(^issuer|_uri|_endpoint)$/.test(name) && typeof metadata[name] === 'string',
  );
}

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

/** Whether it is a URL of https, or of plain http on loopback (RFC 9728 §7.1). */
function isHttpsUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { hostname, protocol } = new URL(value);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Between publishing a key and signing with it. Milliseconds. */
const LEAD = 300_000;

export const keyRotation = providerScenario({
  id: 'key-rotation',
  title: 'The provider rotates its signing key',
  checks: {
    'published-before-use': 'A new key is published before it signs.',
    verifiable: 'After the rotation an ID-JAG is signed by a key of the published key set.',
    'old-key-kept': 'The old key stays published while its ID-JAGs are valid.',
    'still-minted': 'A sign-in from before the rotation still gets ID-JAGs after it.',
  },
  resting: { 'key-rotation.still-minted': ['verifiable'] },
  blockedBy: ['mint.minted'],
  costly: true,
  async run(judge, world) {
    const { control } = world;
    if (control === undefined) {
      throw new NeedsOption(
        'Only a control API can rotate the keys of the provider: name it with --control.',
        '--control',
      );
    }
    // The keys are judged where nothing can be minted, too.
    const minting = await mintingOf(judge, world);
    const old = kidsOf(await world.keySet());
    await control.rotate(LEAD);
    const during = await world.keySet();
    const fresh = kidsOf(during).filter((kid) => !old.includes(kid));
    const early = await minting?.again();
    const earlyKid = early?.header['kid'];
    const signsEarly = typeof earlyKid === 'string' && !old.includes(earlyKid);
    const by = early === undefined ? '' : `, and an ID-JAG by the key ${shown(earlyKid)}`;
    const isPublished = fresh.length > 0 && !signsEarly;
    judge.expect('published-before-use', isPublished, `${fresh.length} new keys${by}`);
    await world.time.pass(LEAD + 1000);
    const now = await world.keySet();
    for (const keys of [during, now]) {
      const isKept = { ok: kidsOf(keys).some((kid) => old.includes(kid)), seen: 'new keys alone' };
      judge.table(keys, {
        'old-key-kept': minting === undefined ? isKept : signedBy(minting.before, keys),
      });
    }
    const after = await minting?.again();
    if (after !== undefined) judge.table(now, { verifiable: signedBy(after, now) });
    else judge.untestable('verifiable', 'Nothing was minted after the rotation.');
  },
});

interface Minting {
  /** What the old key has signed. */
  readonly before: OpenedJwt;
  /** Mints once more by the sign-in from before the rotation; undefined where that is refused. */
  again(): Promise<OpenedJwt | undefined>;
}

/** Undefined where nothing is minted before the rotation either. */
async function mintingOf(
  judge: Judge<'verifiable' | 'still-minted'>,
  world: ProviderWorld,
): Promise<Minting | undefined> {
  let minting: Minting | undefined;
  await judgePart(judge, ['verifiable', 'still-minted'], async () => {
    const audience = world.audience().issuer;
    const session = await world.session();
    const before = world.open(await world.idJag(session, audience));
    const again = async () => {
      const answer = await world.mintWithConsent(session, audience);
      const token = answer.string('access_token');
      judge.expect('still-minted', token !== undefined, answer);
      return token === undefined ? undefined : world.open(token);
    };
    minting = { before, again };
  });
  return minting;
}

function kidsOf(keys: readonly unknown[]): readonly string[] {
  return keys.filter(isObject).flatMap(({ kid }) => (typeof kid === 'string' ? [kid] : []));
}
