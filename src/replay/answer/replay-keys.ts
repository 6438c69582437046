import { CompactSign, importJWK } from 'jose';
import { generateKey, type SigningAlgorithm } from '../../mock/index.ts';
import { isJsonObject, type JsonObject, type Jwk } from '../../protocol/index.ts';
import type { Random } from '../../runtime/index.ts';
import { isJwt } from '../match/index.ts';
import type { RecordedExchange } from '../recording/index.ts';
import { newValue } from './new-values.ts';

interface ReplayKey {
  readonly algorithm: SigningAlgorithm;
  readonly publicJwk: Jwk;
  readonly privateKey: Awaited<ReturnType<typeof importJWK>>;
}

/** For JWTs that name no key. */
const UNNAMED = '{kid_0}';

/** The keys of a replay: one for each that the recorded service had, and what they sign. */
export class ReplayKeys {
  readonly #keys: ReadonlyMap<string, ReplayKey>;
  /** Algorithms of the recording that a replay has none of; it signs with ES256 in their place. */
  readonly replaced: readonly string[];

  private constructor(keys: ReadonlyMap<string, ReplayKey>, replaced: readonly string[]) {
    this.#keys = keys;
    this.replaced = replaced;
  }

  static async make(exchanges: readonly RecordedExchange[], random: Random): Promise<ReplayKeys> {
    const wanted = new Map<string, string>();
    for (const { response, to } of exchanges) {
      if (to === 'service') collect(response.body, wanted);
    }
    const keys = new Map<string, ReplayKey>();
    for (const [name, alg] of wanted) {
      const algorithm = alg === 'EdDSA' ? 'EdDSA' : 'ES256';
      const jwk = await generateKey(algorithm, random);
      const { crv, kty, x, y } = jwk;
      keys.set(name, {
        algorithm,
        publicJwk: {
          kty,
          crv,
          x,
          ...(y !== undefined && { y }),
          kid: newValue(name, random),
          alg: algorithm,
          use: 'sig',
        } as Jwk,
        privateKey: await importJWK(jwk, algorithm),
      });
    }
    const replaced = [...new Set(wanted.values())].filter((alg) => !/^(?:ES256|EdDSA)$/.test(alg));
    return new ReplayKeys(keys, replaced);
  }

  /** The `kid` that stands for a recorded one. */
  kidOf(name: string): string | undefined {
    const kid = this.#keys.get(name)?.publicJwk['kid'];
    return typeof kid === 'string' ? kid : undefined;
  }

  /** The key set (RFC 7517 §5). */
  jwks(): JsonObject {
    return { keys: [...this.#keys.values()].map(({ publicJwk }) => publicJwk) };
  }

  /** What is published in the place of a recorded key; `undefined` where it signed nothing. */
  published(recorded: JsonObject): JsonObject | undefined {
    const { alg, crv, kid, kty } = recorded;
    const key = typeof kid === 'string' ? this.#keys.get(kid) : undefined;
    if (key === undefined) return undefined;
    const own: JsonObject = { ...key.publicJwk };
    // The recorded members in their order, with this key's values; another kind of key comes whole.
    const isSame =
      own['kty'] === kty && own['crv'] === crv && (alg === undefined || own['alg'] === alg);
    if (!isSame) return own;
    return Object.fromEntries(
      Object.entries(recorded).map(([name, value]) => [name, own[name] ?? value]),
    );
  }

  /** A compact JWS with the recorded header, signed by the key that stands for the recorded one. */
  async sign(header: JsonObject, claims: JsonObject): Promise<string> {
    const { b64: _b64, crit: _crit, ...members } = header;
    const key = this.#keys.get(nameOf(header));
    if (key === undefined) throw new TypeError('The recording has no key of that name.');
    const kid = key.publicJwk['kid'];
    return new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({
        ...members,
        alg: key.algorithm,
        ...('kid' in members && typeof kid === 'string' && { kid }),
      })
      .sign(key.privateKey);
  }
}

function nameOf(header: JsonObject): string {
  return typeof header['kid'] === 'string' ? header['kid'] : UNNAMED;
}

/** The names of the keys in an answer, each with its algorithm: of JWTs, and of key sets. */
function collect(value: unknown, wanted: Map<string, string>): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (Array.isArray(each)) open.push(...each);
    if (!isJsonObject(each)) continue;
    if (isJwt(each) && isJsonObject(each.header)) {
      wanted.set(nameOf(each.header), String(each.header['alg'] ?? 'ES256'));
    } else if (typeof each['kty'] === 'string' && typeof each['kid'] === 'string') {
      if (!wanted.has(each['kid'])) wanted.set(each['kid'], algorithmOf(each));
    } else {
      open.push(...Object.values(each));
    }
  }
}

function algorithmOf({ alg, crv, kty }: JsonObject): string {
  if (typeof alg === 'string') return alg;
  if (crv === 'Ed25519') return 'EdDSA';
  return crv === 'P-256' ? 'ES256' : String(kty);
}
