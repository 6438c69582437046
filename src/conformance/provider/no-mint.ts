import { CannotTest, NeedsOption } from '../engine/judge.ts';
import type { Answer } from '../http/answer.ts';
import type { ClaimReport } from '../user/user.ts';
import type { ProviderFacts } from './provider-facts.ts';

/** The codes of a provider that does not mint for want of consent. */
const CONSENT_CODES = ['consent_required', 'interaction_required', 'access_denied'];

/** Whether a mint was refused for want of a consent. */
export function isWithoutConsent({ errorCode = '' }: Answer): boolean {
  return CONSENT_CODES.includes(errorCode);
}

interface NoMint {
  readonly audience: string;
  /** What the provider answered, without secrets. */
  readonly said: string;
  /** The provider may know its services only: none was named, and it has minted for none. */
  readonly mayKnowOthers: boolean;
  /** The page where the user consented before the mint. */
  readonly page: ClaimReport | undefined;
}

/** Why there is no ID-JAG, and what to do. */
export function noMint(answer: Answer, { audience, mayKnowOthers, page, said }: NoMint): Error {
  if (answer.errorCode === 'invalid_target' && mayKnowOthers) {
    return new NeedsOption(
      `A mint for a service of the suite was answered ${said}. If the provider mints only for services that it knows, let it know some of the suite's: --service-port 4899 --audience http://127.0.0.1:4899/one.`,
      '--audience',
    );
  }
  if (!isWithoutConsent(answer)) {
    return new CannotTest(`A mint for ${audience} was answered ${said}, without an ID-JAG.`);
  }
  if (page === undefined) {
    return new CannotTest(
      `A mint for ${audience} was answered ${said}, without a consent_uri where its user could consent.`,
    );
  }
  const status = page.status === undefined ? '' : ` (last page: ${page.status})`;
  return new CannotTest(
    `After its user approved on the consent page${status}, a mint for ${audience} was still answered ${said}.`,
  );
}

/** Why nobody signs in by a device, and what to do. */
export function noDevice({ authorizationEndpoint }: ProviderFacts): NeedsOption {
  const [how, option] =
    authorizationEndpoint === undefined
      ? ['sign users in with --id-token-command', '--id-token-command']
      : [
          'name a client of it with --client-id ID --client-secret @FILE, or sign users in with --id-token-command',
          '--client-secret',
        ];
  return new NeedsOption(`The provider offers no device authorization: ${how}.`, option);
}
