import { describe, expect, it } from 'vitest';
import { ExpiredRows } from '../../src/mock/store/atomic-store.ts';
import { MailStore } from '../../src/mock-service/store/mail-store.ts';
import { SERVICE_SCHEMA } from '../../src/mock-service/store/schema.ts';
import { DAY } from '../../src/protocol/index.ts';
import { FakeClock, SeededRandom } from '../../src/runtime/index.ts';
import { describeWithDatabases } from '../support/postgres.ts';
import { fileStores, type NewStore, postgresStores } from '../support/stores.ts';
import { Harness } from './harness.ts';

const mail = (to: string, subject: string) => ({
  to,
  subject,
  text: 'Your code: 123456',
  userCode: '123456',
  link: undefined,
  registrationId: 'reg_1',
});

function itKeepsMails(newStore: NewStore): void {
  const start = async () => {
    const db = await (await newStore())();
    const { controls } = (await Harness.start({ db })).service;
    const clock = new FakeClock();
    const mails = new MailStore(
      db,
      clock,
      new ExpiredRows(SERVICE_SCHEMA.tables),
      new SeededRandom(),
    );
    return { clock, controls, mails };
  };

  it('lists them newest first, also those of one instant, and by whom they are to', async () => {
    const { controls, mails } = await start();
    for (const subject of ['one', 'two', 'three']) {
      await mails.send(mail(subject === 'two' ? 'bob@example.com' : 'alice@example.com', subject));
    }
    const all = await controls.mails();
    expect(all.map(({ subject }) => subject)).toEqual(['three', 'two', 'one']);
    expect(all[0]).toMatchObject({ ...mail('alice@example.com', 'three'), link: undefined });
    const [only, ...more] = await controls.mails({ to: 'Bob@Example.com' });
    expect([only?.subject, more]).toEqual(['two', []]);
    await expect(controls.mails({ to: 'nobody' })).rejects.toMatchObject({
      description: 'to must be an email address.',
    });
  });

  it('forgets one after seven days, and all of them with a reset', async () => {
    const { clock, controls, mails } = await start();
    await mails.send(mail('alice@example.com', 'old'));
    clock.advance(7 * DAY);
    await mails.send(mail('alice@example.com', 'new'));
    expect((await controls.mails()).map(({ subject }) => subject)).toEqual(['new']);
    await controls.reset();
    expect(await controls.mails()).toEqual([]);
  });
}

describe('mails in SQLite', () => itKeepsMails(fileStores()));
describeWithDatabases('mails in PostgreSQL', (server) => itKeepsMails(postgresStores(server)));
