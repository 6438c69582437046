import { replacing } from '../../mock/config/replacing.ts';
import { TOKEN_EXCHANGE_GRANT } from '../../protocol/constants.ts';
import type { Grant } from '../context/provider-context.ts';
import type { Rewired } from './provider-fault.ts';

/** What is signed as one `typ` comes out with other bits in its signature. */
export function tampered(type: string): Rewired {
  return ({ keys }) => ({
    keys: replacing(keys, {
      sign: async (typ, claims, ...rest) => {
        const token = await keys.sign(typ, claims, ...rest);
        if (typ !== type) return token;
        const at = token.lastIndexOf('.') + 5;
        return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      },
    }),
  });
}

/** A token exchange is served another way. */
export function exchanging(change: (right: Grant) => Grant): Rewired {
  return ({ grants }) => ({
    grants: new Map(
      [...grants].map(([type, grant]) => [
        type,
        type === TOKEN_EXCHANGE_GRANT ? change(grant) : grant,
      ]),
    ),
  });
}
