import { describe, expect, it } from 'vitest';
import { NeedsOption } from '../../../src/conformance/engine/judge.ts';
import { type Account, Accounts, readAccounts } from '../../../src/conformance/user/accounts.ts';
import { SeededRandom } from '../../../src/runtime/index.ts';

const accountsOf = (
  all: readonly [Account, ...Account[]],
  option: '--email' | '--accounts' = '--accounts',
) => new Accounts(all, { random: new SeededRandom(), option });

const ALICE = { email: 'alice@example.com', password: 'one' };
const BOB = { email: 'bob@example.com', password: 'two' };
const NEW = { email: 'new-{n}@example.com' };

describe('the users of a scenario', () => {
  it('are as many as a pattern makes, all of them new', () => {
    const some = accountsOf([NEW], '--email').begin();
    const emails = [some.user(), some.user(), some.another(), some.unknown()];
    expect(new Set(emails).size).toBe(4);
    for (const email of emails) expect(email).toMatch(/^new-[0-9a-f]{12}@example\.com$/);
  });

  it('are those of the list, each once', () => {
    const some = accountsOf([ALICE, BOB]).begin();
    expect([some.user(), some.user(), some.another()]).toEqual([
      ALICE.email,
      ALICE.email,
      BOB.email,
    ]);
    expect(() => some.another()).toThrow(
      'This needs 3 users, and --accounts names 2 who can sign in',
    );
  });

  it('are missed by name where there is one alone', () => {
    const some = accountsOf([ALICE]).begin();
    some.user();
    expect(() => some.another()).toThrow('This needs 2 users, and alice@example.com is one:');
  });

  it('are never the one who has a part already', () => {
    const some = accountsOf([ALICE, BOB]).begin();
    expect([some.another(), some.user()]).toEqual([ALICE.email, BOB.email]);
  });

  it('begin with another one each time', () => {
    const accounts = accountsOf([ALICE, BOB]);
    expect([1, 2, 3].map(() => accounts.begin().user())).toEqual([
      ALICE.email,
      BOB.email,
      ALICE.email,
    ]);
  });

  it('sign in with a password where some have one; the others have no account', () => {
    const some = accountsOf([NEW, ALICE]).begin();
    expect(some.user()).toBe(ALICE.email);
    expect(some.unknown()).toMatch(/^new-/);
    expect(() => some.another()).toThrow(NeedsOption);
  });

  it('are missed by the option that names them', () => {
    const one = accountsOf([{ email: 'alice@example.com' }], '--email').begin();
    expect(() => one.unknown()).toThrow(
      "put {n} into --email, as in --email 'test-{n}@example.com'",
    );
  });

  it('are made up where a list says who signs in, and nobody does', () => {
    const accounts = accountsOf([ALICE]);
    expect(accounts.begin().unknown()).toMatch(/^conformance-visitor-[0-9a-f]{12}@example\.com$/);
    expect(accounts.haveNewcomers).toBe(false);
    expect(accountsOf([ALICE, NEW]).haveNewcomers).toBe(true);
  });
});

describe('a password', () => {
  it('is that of the account, or of the pattern that an email was made by', () => {
    const accounts = accountsOf([ALICE, { email: 'x-{n}@example.com', password: 'all' }]);
    expect(accounts.of('alice@example.com')?.password).toBe('one');
    expect(accounts.of('x-17@example.com')?.password).toBe('all');
    expect(accounts.of('y-17@example.com')).toBeUndefined();
    expect(accounts.passwords).toEqual(['one', 'all']);
  });
});

describe('a file of accounts', () => {
  it('is a list, YAML or JSON', () => {
    const yaml =
      '- email: alice@example.com\n  password: one\n  notes: an admin\n- email: n-{n}@example.com\n';
    expect(readAccounts(yaml)).toEqual([
      { ...ALICE, notes: 'an admin' },
      { email: 'n-{n}@example.com' },
    ]);
    expect(readAccounts(JSON.stringify([BOB]))).toEqual([BOB]);
  });

  it.each([
    ['nobody', '[]', 'line 1, the file: it lists nobody.'],
    ['nothing', '', 'line 1, the file: a list is expected.'],
    ['an email alone', '- a@b.c', 'line 1, 0: an entry with email is expected.'],
    ['no email', '- password: secret', 'line 1, 0.email: an email address is expected.'],
    [
      'a password that is a number',
      '- email: a@b.c\n  password: 1234',
      'line 2, 0.password: text is expected; put it between quotes.',
    ],
    ['what is no email', '- email: alice', 'line 1, 0.email: an email address is expected'],
    ['another member', '- email: a@b.c\n  pasword: secret', 'Unrecognized key: "pasword"'],
    ['an email twice', '- email: a@b.c\n- email: a@b.c', 'line 2: a@b.c is listed twice'],
    ['what is no YAML', '- email: "a@b.c\n  password: secret', 'is not YAML'],
  ])('with %s is refused, and nothing secret is quoted', (_what, text, message) => {
    expect(() => readAccounts(text)).toThrow(message);
    expect(() => readAccounts(text)).not.toThrow('secret');
  });
});
