import { isJsonObject } from '../../../protocol/index.ts';
import type { Answer } from '../../http/answer.ts';

/**
 * The `expires_at` inside a claim block, which the specification does not know and some services write
 * in place of `expires_in`. `undefined` when there is none that is a time: it spoils no answer.
 */
export function endBeside({ body }: Answer, block: string): string | undefined {
  const members = body.ok ? body.json[block] : undefined;
  const end = isJsonObject(members) ? members['expires_at'] : undefined;
  return typeof end === 'string' && !Number.isNaN(Date.parse(end)) ? end : undefined;
}
