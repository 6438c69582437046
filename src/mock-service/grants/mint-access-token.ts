import { randomToken } from '../../runtime/index.ts';
import type { ServiceContext } from '../service-context.ts';

/** An access token says nothing to whoever holds it (wire.md §6). */
export async function mintAccessToken({
  clock,
  config,
  faults,
  keys,
  random,
}: ServiceContext): Promise<string> {
  if (faults.has('jwtAccessTokens')) {
    return keys.sign('JWT', { iss: config.issuer, jti: randomToken(random, '') });
  }
  if (faults.has('tokensCounted')) return `at_0000000000000000000000${clock.now()}${counted()}`;
  const token = randomToken(random, 'at_');
  return faults.has('tokensShort') ? token.slice(0, 12) : token;
}

let last = 0;

function counted(): string {
  last += 1;
  return String(last).padStart(6, '0');
}
