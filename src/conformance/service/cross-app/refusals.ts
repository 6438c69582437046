import type { Judge } from '../../engine/judge.ts';
import { NoAnswer } from '../../http/no-answer.ts';
import type { ServiceWorld } from '../service-world.ts';
import { expectRefused, type Reply } from '../steps/expect-refused.ts';
import type { MintOptions, TestProvider } from '../test-provider.ts';
import type { Redeemer, Redeeming } from './redeemer.ts';

/** An ID-JAG that must not be redeemed: the check that it decides, how it differs from a right one, how it is made. */
export interface WrongIdJag<Name extends string> {
  readonly check: Name;
  readonly what: string;
  readonly mint?: MintOptions;
  /** Makes it in place of one that is minted. */
  readonly make?: () => string;
  readonly provider?: TestProvider;
  readonly redeeming?: Redeeming;
  /** Whose reading allows it: never more than a warning. */
  readonly reading?: string | undefined;
}

/** What a server that takes too long over a wrong one is told. */
const SILENT = 'Nothing was given, and a client waits for nothing.';

/**
 * Redeems one after another, each with its own limit of time, and judges that it is refused. `code` judges that the
 * refusal is invalid_grant, for those that it has no exception for.
 */
export async function refuseEach<Name extends string>(
  judge: Judge<Name>,
  world: ServiceWorld,
  redeemer: Redeemer,
  wrong: readonly WrongIdJag<Name>[],
): Promise<void> {
  await redeemer.unlock();
  for (const { check, make, mint, provider, reading, redeeming, what } of wrong) {
    const reply = await world.recorder.oddly(`an ID-JAG: ${what}`, () =>
      orSilence(redeemer.redeem(make?.() ?? redeemer.idJag(mint, provider), redeeming)),
    );
    expectNotRedeemed(judge, check, reply, { case: what, reading });
  }
}

/** Whoever keeps silent about one wrong ID-JAG may still answer the next. */
async function orSilence(answer: Promise<Reply>): Promise<Reply> {
  return answer.catch((error: unknown) => {
    if (error instanceof NoAnswer && error.kind === 'timeout') return error;
    throw error;
  });
}

/** Judges that nothing was given. */
export function expectNotRedeemed<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  reply: Reply,
  more: { readonly case?: string; readonly reading?: string | undefined } = {},
): boolean {
  if (reply instanceof NoAnswer) {
    return judge.expect(name, false, reply.message, { ...more, reading: SILENT });
  }
  return expectRefused(judge, name, reply, isGiven, more);
}

const isGiven: Parameters<typeof expectRefused>[3] = (answer) =>
  answer.ok || answer.string('access_token') !== undefined;

/** An ID-JAG whose claims differ. */
export function claiming<Name extends string>(
  check: Name,
  what: string,
  claims: Readonly<Record<string, unknown>>,
  reading?: string,
): WrongIdJag<Name> {
  return { check, what, mint: { claims }, reading };
}
