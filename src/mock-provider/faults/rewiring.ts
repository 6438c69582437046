import { replacing } from '../../mock/config/replacing.ts';
import type { Fault } from '../../mock/faults/fault.ts';
import { TOKEN_EXCHANGE_GRANT } from '../../protocol/constants.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Decisions } from '../context/decisions.ts';
import type { Grant, ProviderContext } from '../context/provider-context.ts';
import type { JwtContent } from '../id-token/jwt-content.ts';

/** A way in which a provider can be wrong: what it replaces of the right mock. */
export type ProviderFault = Fault<ProviderContext>;

/** Which parts are done wrongly, and how. */
export type Rewired = NonNullable<ProviderFault['parts']>;

/** What is decided wrongly, and how. */
export type Redecided = NonNullable<ProviderFault['decisions']>;

type CheckList = 'clientChecks' | 'exchangeChecks' | 'idTokenChecks';
type SignedKind = 'idToken' | 'idJag' | 'event';

/** Leaves some checks out of a list. */
export function omitting(list: CheckList, ...names: readonly string[]): Redecided {
  return (right) => {
    const checks: readonly { readonly name: string }[] = right[list];
    return { ...right, [list]: checks.filter(({ name }) => !names.includes(name)) };
  };
}

/** Makes one change after the other. */
export function both(first: Redecided, second: Redecided): Redecided {
  return (right) => second(first(right));
}

/** What is signed is something else. */
export function signing(kind: SignedKind, change: (right: JwtContent) => JwtContent): Redecided {
  return (right) => ({ ...right, [kind]: (facts: never) => change(right[kind](facts)) });
}

/** What is signed says something else; a claim of undefined is left out. */
export function saying(kind: SignedKind, change: (claims: JsonObject) => JsonObject): Redecided {
  return signing(kind, ({ typ, claims }) => ({ typ, claims: { ...claims, ...change(claims) } }));
}

/** However long ago the sign-in was. */
export const ageless: Redecided = (right) => ({
  ...right,
  mint: (facts, now) => right.mint(facts, now, Number.POSITIVE_INFINITY),
});

/** The user's consent is taken for granted. */
export const unasked = (right: Decisions): Decisions => ({
  ...right,
  mint: (facts, ...rest) => right.mint({ ...facts, autoApproved: true }, ...rest),
});

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
