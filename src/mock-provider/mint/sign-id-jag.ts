import type { KeyRing } from '../../mock/index.ts';
import { SECOND } from '../../protocol/index.ts';
import { type Random, randomToken } from '../../runtime/index.ts';
import type { ProviderConfig } from '../config/config.ts';
import type { IdJagContent, idJagOf } from './id-jag.ts';

/** What ID-JAGs are signed with. */
export interface IdJagParts {
  readonly config: ProviderConfig;
  readonly decisions: { readonly idJag: typeof idJagOf };
  readonly keys: Pick<KeyRing, 'sign'>;
  readonly random: Random;
}

/** Signs an ID-JAG. */
export async function signIdJag(
  { config, decisions, keys, random }: IdJagParts,
  content: IdJagContent,
): Promise<{ readonly idJag: string; readonly expiresIn: number }> {
  const expiresIn = Math.ceil(config.lifetimes.idJag / SECOND);
  const jti = randomToken(random, 'jag_');
  const { typ, claims } = decisions.idJag({ config, jti, expiresIn, ...content });
  return { idJag: await keys.sign(typ, claims), expiresIn };
}
