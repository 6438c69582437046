import type { JSONWebKeySet, JWK } from 'jose';
import type { Faults } from '../../mock/index.ts';
import { isJsonObject, type JsonObject } from '../../protocol/index.ts';
import type { ServiceFault } from '../faults/index.ts';
import type { TrustedIssuer } from '../options.ts';
import type { KeySource } from './key-source.ts';
import type { JwtVerifier } from './verify-jwt.ts';

/** Whom a service with the mistake trusts beside its list. */
export async function trustCarelessly(
  payload: JsonObject,
  { faults, keys, trust }: JwtVerifier,
): Promise<TrustedIssuer | undefined> {
  const { iss, sub_id: subId } = payload;
  if (typeof iss !== 'string') return undefined;
  const jwksUri = `${iss}/.well-known/jwks.json`;
  if (faults.has('strangerFetched')) await keys.keySet(jwksUri, '');
  const named = isJsonObject(subId) && trust.find(subId['iss']) !== undefined;
  if (faults.has('strangerTrusted') || (named && faults.has('subIdTrusted'))) {
    return { issuer: iss, name: iss, jwksUri, clientIds: [String(payload['client_id'])] };
  }
  if (faults.has('issuerUnbound')) return trust.list()[0];
  if (faults.has('issuerByPrefix')) {
    return trust.list().find(({ issuer }) => iss.startsWith(issuer));
  }
  return undefined;
}

const firstSeen = new WeakMap<KeySource, Map<string, JWK>>();

/** The key set as a service with the mistake sees it. */
export function seenCarelessly(
  keySet: JSONWebKeySet,
  keys: KeySource,
  faults: Faults<ServiceFault>,
): JSONWebKeySet {
  const without = (fault: ServiceFault, member: 'use' | 'key_ops' | 'alg', list: JWK[]) =>
    faults.has(fault) ? list.map(({ [member]: _member, ...rest }) => rest as JWK) : list;
  let list = without('encryptionKeyAccepted', 'use', [...keySet.keys]);
  list = without('keyOpsIgnored', 'key_ops', list);
  list = without('keyAlgorithmIgnored', 'alg', list);
  if (faults.has('oddKeySpoilsSet') && list.some(({ kty }) => kty === 'unknown')) list = [];
  return { keys: faults.has('kidGlobal') ? list.map((key) => first(key, keys)) : list };
}

function first(key: JWK, keys: KeySource): JWK {
  const known = firstSeen.get(keys) ?? new Map<string, JWK>();
  firstSeen.set(keys, known);
  const kid = key.kid ?? '';
  known.set(kid, known.get(kid) ?? key);
  return known.get(kid) ?? key;
}
