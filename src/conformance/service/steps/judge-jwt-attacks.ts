import type { Judge } from '../../engine/judge.ts';
import { NoAnswer } from '../../http/http-client.ts';
import { makeKey } from '../../jwt/key.ts';
import { openJwt } from '../../jwt/open.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { TestProvider } from '../test-provider.ts';
import { JWT_ATTACKS, type JwtAttack, type JwtAttackCheck, type RightJwt } from './jwt-attacks.ts';
import type { Reply } from './present-id-jag.ts';

/** How one kind of a provider's JWT is made and sent. */
export interface Lane {
  /** A right one that was not used. */
  make(): string;
  send(token: string): Promise<Reply>;
  /** Shows that a right one is taken still. @throws CannotTest */
  prove(): Promise<unknown>;
  /** Judges what came of one that must be refused. */
  judge(check: JwtAttackCheck, what: string, reply: Reply, warn: boolean): void;
}

/** Sends every attack on a JWT through a lane, and a right one at the end. */
export async function judgeAttacks(world: ServiceWorld, lane: Lane): Promise<void> {
  const foreign = makeKey();
  for (const [check, attacks] of Object.entries(JWT_ATTACKS) as [
    JwtAttackCheck,
    readonly JwtAttack[],
  ][]) {
    for (const { what, warn, forge } of attacks) {
      const reply = await lane.send(forge(rightJwt(lane.make(), world, foreign)));
      // Only who goes on afterwards has refused what it did not answer.
      if (reply instanceof NoAnswer) await lane.prove();
      lane.judge(check, `A token ${what}`, reply, warn === true);
    }
  }
  await lane.prove();
}

function rightJwt(token: string, world: ServiceWorld, foreign: RightJwt['foreign']): RightJwt {
  const { provider, stranger } = world.providers;
  const opened = openJwt(token);
  if (opened === undefined) throw new TypeError('The provider minted no JWT.');
  return {
    header: opened.header,
    claims: opened.claims,
    key: provider.keys[0],
    foreign,
    stranger,
    invented: world.invented,
  };
}

/** Judges that nothing was fetched from a peer while something ran. */
export async function expectUnvisited<Name extends string>(
  judge: Judge<Name>,
  name: Name,
  peer: TestProvider,
  expected: string,
  run: () => Promise<void>,
  warn = false,
): Promise<void> {
  const before = peer.hits.length;
  await run();
  const paths = peer.hits.slice(before).map(({ path }) => path);
  judge.expect(name, paths.length === 0, `It fetched ${[...new Set(paths)].join(', ')}.`, {
    expected,
    warn,
  });
}
