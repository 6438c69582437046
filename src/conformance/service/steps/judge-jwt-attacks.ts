import { NoAnswer } from '../../http/no-answer.ts';
import { makeKey } from '../../jwt/forge.ts';
import { openJwt } from '../../jwt/open.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { Reply } from './expect-refused.ts';
import { JWT_ATTACKS, type JwtAttack, type JwtAttackCheck, type RightJwt } from './jwt-attacks.ts';

/** An endpoint that takes one kind of a provider's JWT. */
interface JwtEndpoint<Check extends JwtAttackCheck> {
  /** A right one that was not used yet. */
  make(): string;
  send(token: string): Promise<Reply>;
  /** Sends a right one. @throws CannotTest when it is refused. */
  mustAccept(): Promise<unknown>;
  /** Judges what came of one that must be refused. */
  judge(check: Check, what: string, reply: Reply, reading: string | undefined): void;
}

/** Sends the attacks on a JWT to an endpoint, by default every one, and a right one at the end. */
export async function judgeJwtAttacks<Check extends JwtAttackCheck>(
  world: ServiceWorld,
  endpoint: JwtEndpoint<Check>,
  checks = Object.keys(JWT_ATTACKS) as unknown as readonly Check[],
): Promise<void> {
  const foreign = makeKey();
  for (const check of checks) {
    const attacks: readonly JwtAttack[] = JWT_ATTACKS[check];
    for (const { what, reading, forge } of attacks) {
      const reply = await world.recorder.oddly(`a token ${what}`, () =>
        endpoint.send(forge(rightJwt(endpoint.make(), world, foreign))),
      );
      // A closed connection counts as a refusal only of a service that answers afterwards.
      if (reply instanceof NoAnswer) await endpoint.mustAccept();
      endpoint.judge(check, `a token ${what}`, reply, reading);
    }
  }
  await endpoint.mustAccept();
}

function rightJwt(token: string, world: ServiceWorld, foreign: RightJwt['foreign']): RightJwt {
  const { provider, untrusted } = world.providers;
  const opened = openJwt(token);
  if (opened === undefined) throw new TypeError('The provider minted no JWT.');
  return {
    header: opened.header,
    claims: opened.claims,
    key: provider.keys[0],
    foreign,
    untrusted,
    invented: world.invented,
  };
}
