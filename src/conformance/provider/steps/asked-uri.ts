import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { ProviderWorld, UserSession } from '../provider-world.ts';
import { isMinted } from './rows.ts';

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
  throw new CannotTest(
    `A mint for ${audience}, to which its user has not consented, was answered ${asked.describe()}.`,
  );
}
