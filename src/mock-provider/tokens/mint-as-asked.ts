import { configuredEmail } from '../../mock/sessions/configured-user.ts';
import { SECOND } from '../../protocol/durations.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { decodeJwt } from '../../protocol/jwt.ts';
import { randomToken } from '../../runtime/random-token.ts';
import type { JwtChanges } from '../config/claim-rule.ts';
import { clientIdUrl } from '../config/paths.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import { changed, changedByRules } from '../id-token/changed-jwt.ts';

/** An ID-JAG as a test wants it. */
export interface WantedIdJag extends JwtChanges {
  /** Whom it names. Somebody new gets an account, as at a sign-in. */
  readonly email: string;
  /** `aud`: the issuer of the service. */
  readonly audience: string;
  /** `client_id`: the client as the service knows it. Default: the agent, by the URL of its document. */
  readonly clientId?: string;
  /** `resource`. Default: none. */
  readonly resources?: readonly string[];
  /** `scope`. Default: none. */
  readonly scopes?: readonly string[];
}

/** An ID-JAG, and what it says. */
export interface MintedIdJag {
  readonly idJag: string;
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/**
 * Mints without a sign-in, whatever consent and policy would say.
 * @throws TypeError for what is no email.
 */
export async function mintAsAsked(
  provider: ProviderContext,
  { email: given, audience, clientId, resources = [], scopes, ...changes }: WantedIdJag,
): Promise<MintedIdJag> {
  const { clock, config, decisions, keys, random, users } = provider;
  const email = configuredEmail(given, 'email');
  await users.signIn(email);
  const user = await users.find(email);
  if (user === undefined) throw new TypeError('The user is gone.');
  const client = clientId ?? clientIdUrl(config);
  const now = clock.now();
  const content = decisions.idJag({
    config,
    jti: randomToken(random, 'jag_'),
    expiresIn: Math.ceil(config.lifetimes.idJag / SECOND),
    user,
    audience,
    clientId: client,
    resources,
    scopes,
    authTime: Math.floor(now / SECOND),
    decidedAt: now,
  });
  const whom = { user: email, client, audience };
  const { typ, claims, header } = changed(
    changedByRules(content, config.claims, 'id_jag', whom),
    changes,
  );
  const idJag = await keys.sign(typ, claims, header, config.audience(audience)?.algorithm);
  return { idJag, header: decodeJwt(idJag)?.header ?? {}, claims };
}
