import { beforeEach, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/runtime/index.ts';
import { describeWithDatabases } from '../../support/postgres.ts';
import { fileStores, type NewStore, type Open, postgresStores } from '../../support/stores.ts';
import type { Harness } from '../harness.ts';
import {
  ALICE,
  bodyOf,
  byEmail,
  codeOn,
  confirm,
  redeem,
  refresh,
  scopeOf,
  startNested,
} from './nested-harness.ts';

let open: Open;
let seed = 0;

/** One more process on the store. */
async function replica(): Promise<Harness> {
  seed += 1;
  return startNested({ db: await open(), random: new SeededRandom(seed) });
}

describe('the nested dialect on a file', () => itIsShared(fileStores()));
describeWithDatabases('the nested dialect on PostgreSQL', (server) =>
  itIsShared(postgresStores(server)),
);

function itIsShared(newStore: NewStore): void {
  beforeEach(async () => {
    open = await newStore();
  });

  it('shows the same code in each process, and takes it in another', async () => {
    const [one, other] = [await replica(), await replica()];
    const { attempt, token } = await byEmail(one);
    const code = codeOn(await confirm(one.user(), attempt));
    expect(codeOn(await other.user().openSignedIn(attempt.verification_uri, ALICE))).toBe(code);
    // The code of one attempt is not that of another.
    const second = await byEmail(other);
    expect(codeOn(await confirm(one.user(), second.attempt))).not.toBe(code);
    expect((await redeem(one, second.token, code)).body['error']).toBe('invalid_user_code');
    expect((await redeem(other, token, code)).status).toBe(200);
  });

  it('takes a code once, whichever process it reaches', async () => {
    const all = [await replica(), await replica(), await replica()];
    const [one = await replica()] = all;
    const { attempt, token } = await byEmail(one);
    const code = codeOn(await confirm(one.user(), attempt));
    const first = await Promise.all(all.map((h) => redeem(h, token, code)));
    // A file that another process writes to answers 503: then the agent asks again.
    const answers: number[] = [];
    for (const [at, { status }] of first.entries()) {
      const h = all[at] ?? one;
      answers.push(status === 503 ? (await redeem(h, token, code)).status : status);
    }
    expect(answers.sort()).toEqual([200, 409, 409]);
  });

  it('trades a refresh token once, and ends everything when a copy comes elsewhere', async () => {
    const [one, other] = [await replica(), await replica()];
    const { attempt, token } = await byEmail(one);
    const code = codeOn(await confirm(one.user(), attempt));
    const { identity } = bodyOf(await redeem(one, token, code));
    const next = bodyOf(await refresh(other, identity.refresh_token.value)).identity;
    expect(await scopeOf(one, next.assertion)).toBe('api.read api.write');
    expect((await refresh(one, identity.refresh_token.value)).status).toBe(401);
    expect((await refresh(other, next.refresh_token.value)).status).toBe(401);
    expect(await scopeOf(other, next.assertion)).toBe('invalid_grant');
  });
}
