import { CannotTest, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ProviderWorld, UserSession } from '../provider-world.ts';
import { isMinted } from './rows.ts';

export const BY_POLICY =
  'The provider has no page for consents and no sign-in for agents: the policy of an administrator decides.';

/** Whether it is an enterprise's (MCP Enterprise-Managed Authorization): none of its users is asked. */
export function isByPolicy({ consentsUri, facts }: ProviderWorld): boolean {
  const { consentRevocationEndpoint, deviceEndpoint } = facts;
  return [consentsUri, consentRevocationEndpoint, deviceEndpoint].every((at) => at === undefined);
}

/**
 * The page that asks a user for consent to an audience.
 * @throws CannotTest when a mint without a consent names none.
 */
export async function askedUri(
  world: ProviderWorld,
  { idToken }: UserSession,
  audience: string,
): Promise<string> {
  const asked: Answer = await world.client.mint(idToken, audience);
  const consentUri = asked.string('consent_uri');
  if (consentUri !== undefined && URL.canParse(consentUri)) return consentUri;
  if (!isMinted(asked)) world.mustMint(asked, audience);
  if (isByPolicy(world)) throw new NotApplicable(BY_POLICY);
  throw new CannotTest(
    `A mint for ${audience}, to which its user has not consented, was answered ${asked.describe()}.`,
  );
}
