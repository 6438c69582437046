import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isBuilt, NOT_BUILT } from '../cli/built/support.ts';
import { describeWithPostgres } from '../support/postgres.ts';
import { Arena, type TwoStores } from './arena.ts';
import type { Received } from './replicas.ts';
import { having, tally, times } from './tally.ts';

/** As many requests are under way at once. */
const PARALLEL = 16;
/** Sent until the process is killed: more than it answers before. */
const SENT = 400;

if (!isBuilt) it('needs the built program', ({ skip }) => skip(NOT_BUILT));

describe.runIf(isBuilt)('what was answered is stored, whenever the process is killed', () => {
  describe('on a file', () => {
    const folders: string[] = [];
    afterEach(() => {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
    });
    itKeepsWhatItAnswered(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'agent-auth-test-'));
      folders.push(folder);
      const file = join(folder, 'main.db');
      return { main: { file }, limited: {} };
    });
  });

  describeWithPostgres('on PostgreSQL', (server) =>
    itKeepsWhatItAnswered(async () => ({
      main: { address: await server.newDatabase() },
      limited: {},
    })),
  );
});

function itKeepsWhatItAnswered(newStores: () => Promise<TwoStores>): void {
  // The very first answer, one from the midst, and a random one.
  it.each([1, 2, 17, 20 + Math.floor(Math.random() * 200)])('killed at answer %i', async (last) => {
    const stores = await newStores();
    const killed = await Arena.start(1, stores);
    const idJags = await Promise.all(times(SENT, () => killed.provider.idJag(newUser(killed))));
    const answers = await sendUntilKilled(killed, idJags, last);
    await killed.replicas.stop();
    expect(answers.length).toBeGreaterThanOrEqual(last);

    const next = await Arena.start(1, stores, { provider: killed });
    await expectStored(next, answers);
    await next.replicas.stop();
  });
}

interface Answered {
  readonly idJag: string;
  readonly body: Received['body'];
}

/** Sixteen at once; the process dies in the moment in which so many answers have come. */
async function sendUntilKilled(
  arena: Arena,
  idJags: readonly string[],
  last: number,
): Promise<readonly Answered[]> {
  const waiting = [...idJags];
  const answers: Answered[] = [];
  const sendNext = async () => {
    for (let idJag = waiting.pop(); idJag !== undefined; idJag = waiting.pop()) {
      const answer = await arena.registerBy(idJag).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(200);
      answers.push({ idJag, body: answer.body });
      if (answers.length === last) arena.replicas.kill();
    }
  };
  await Promise.all(times(PARALLEL, sendNext));
  return answers;
}

/** Each registration is known, its ID-JAG is spent, its assertion is good. */
async function expectStored(arena: Arena, answers: readonly Answered[]): Promise<void> {
  const replayed = await Promise.all(answers.map(({ idJag }) => arena.registerBy(idJag)));
  expect(tally(replayed)).toEqual({ '400 replay_detected': answers.length });
  const exchanged = await Promise.all(
    answers.map(({ body }) => arena.exchange(body['identity_assertion'])),
  );
  expect(having(200, exchanged)).toHaveLength(answers.length);
}

function newUser(arena: Arena) {
  const sub = arena.newName();
  return { sub, email: `${sub}@example.com` };
}
