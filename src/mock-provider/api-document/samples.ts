import { SAMPLE_TIME, sampleJwt, sampleToken } from '../../mock/index.ts';
import { JWT_TYPE, SECOND } from '../../protocol/index.ts';
import { clientIdUrl } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';

/** What of a provider its document is written from. */
export type DescribedProvider = Pick<
  ProviderContext,
  'config' | 'decisions' | 'fallback' | 'grants' | 'keys' | 'site'
>;

const USER = { email: 'alice@example.com', email_verified: true };
const IAT = SAMPLE_TIME / SECOND;

/** The service of the examples. */
export const SAMPLE_AUDIENCE = 'https://service.example';

export const SAMPLE_DEVICE_CODE = sampleToken('dc_');

/** The ID token of a sign-in. */
export function sampleIdToken({ config }: DescribedProvider): string {
  return sampleJwt(JWT_TYPE.idToken, {
    iss: config.issuer,
    sub: 'user-1',
    aud: config.clientId,
    iat: IAT,
    exp: IAT + Math.floor(config.lifetimes.idToken / SECOND),
    auth_time: IAT,
    ...USER,
  });
}

/** An ID-JAG that names the user to a service. */
export function sampleIdJag({ config }: DescribedProvider): string {
  return sampleJwt(JWT_TYPE.idJag, {
    iss: config.issuer,
    sub: 'user-1',
    aud: SAMPLE_AUDIENCE,
    client_id: clientIdUrl(config),
    jti: 'example',
    iat: IAT,
    exp: IAT + Math.floor(config.lifetimes.idJag / SECOND),
    auth_time: IAT,
    ...USER,
  });
}
