import type { JsonObject } from '../../protocol/json.ts';
import type { JwkSet } from '../../protocol/jwk.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { JwtVerifier, ReadJwt } from '../trust/jwt-verifier.ts';
import type { Rewired } from './service-fault.ts';

/** The JWTs of providers are verified with some steps done another way. */
export function verifying(
  change: (right: JwtVerifier, service: ServiceContext) => Partial<JwtVerifier>,
): Rewired {
  return (service) => ({ verifier: { ...service.verifier, ...change(service.verifier, service) } });
}

/** A header is judged another way in one point. */
export function judgingHeaders(
  { headerChecks }: JwtVerifier,
  name: JwtVerifier['headerChecks'][number]['name'],
  holds: (header: JsonObject, type: string) => boolean,
): Pick<JwtVerifier, 'headerChecks'> {
  return {
    headerChecks: headerChecks.map((check) => (check.name === name ? { ...check, holds } : check)),
  };
}

/** Algorithms that no verifier should accept pass beside the right ones. */
export function alsoAlgorithm(
  right: JwtVerifier,
  accepted: (alg: string) => boolean,
): Pick<JwtVerifier, 'headerChecks'> {
  const isRight = right.headerChecks.find(({ name }) => name === 'algorithm');
  return judgingHeaders(
    right,
    'algorithm',
    (header, type) => accepted(String(header['alg'])) || isRight?.holds(header, type) === true,
  );
}

/** Headers with `crit` or `b64` that are meant pass, too. */
export function alsoCritical(
  right: JwtVerifier,
  isMeant: (header: JsonObject) => boolean,
): Pick<JwtVerifier, 'headerChecks'> {
  const isRight = right.headerChecks.find(({ name }) => name === 'critical');
  return judgingHeaders(
    right,
    'critical',
    (header, type) => isMeant(header) || isRight?.holds(header, type) === true,
  );
}

/** Whether a token is taken for signed. What throws takes it for none. */
export type IsSigned = (jwt: ReadJwt, keySet: JwkSet) => Promise<boolean>;

/** What is taken for signed although it is not. */
export function alsoSigned(
  { signatureProblem }: JwtVerifier,
  isSigned: IsSigned,
): Pick<JwtVerifier, 'signatureProblem'> {
  return {
    signatureProblem: async (jwt, keySet) => {
      const taken = await isSigned(jwt, keySet).catch(() => false);
      return taken ? undefined : signatureProblem(jwt, keySet);
    },
  };
}
