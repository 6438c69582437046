import { SECOND } from '../../protocol/index.ts';
import { randomToken } from '../../runtime/index.ts';
import type { ProviderContext } from '../context/provider-context.ts';
import type { IdJagContent } from './id-jag.ts';

/** Signs an ID-JAG. */
export async function signIdJag(
  { config, decisions, keys, random }: ProviderContext,
  content: IdJagContent,
): Promise<{ readonly idJag: string; readonly expiresIn: number }> {
  const expiresIn = Math.ceil(config.lifetimes.idJag / SECOND);
  const jti = randomToken(random, 'jag_');
  const { typ, claims } = decisions.idJag({ ...content, config, jti, expiresIn });
  return { idJag: await keys.sign(typ, claims), expiresIn };
}
