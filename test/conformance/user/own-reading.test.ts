import { describe, expect, it } from 'vitest';
import { CannotTest, NeedsOption, NotApplicable } from '../../../src/conformance/engine/judge.ts';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { Visitor } from '../../../src/conformance/pages/visitor.ts';
import { notUnderstood, readPages } from '../../../src/conformance/user/own-reading.ts';
import { signIn } from '../../../src/conformance/user/sign-in.ts';
import type { User } from '../../../src/conformance/user/user.ts';

const userOf = (kind: User['kind']): User => ({
  kind,
  claim: async () => ({ status: undefined, text: '', exchange: undefined }),
});

const html = (status: number, text: string) =>
  new Answer(status, [['content-type', 'text/html']], text, 0, 1);

const enter = async (kind: User['kind'], form: string) => {
  const visitor = new Visitor(async () => html(200, `<form method=post>${form}</form>`));
  const page = await visitor.open('https://service.example/login');
  return readPages(userOf(kind), () => signIn(visitor, page, 'a@example.com'));
};

describe('a sign-in with a password', () => {
  const form = '<input type=email name=e><input type=password name=p>';

  it.each(['form', 'manual', 'browser', 'command'] as const)(
    'is left to --accounts where the user is %s',
    async (kind) => {
      await expect(enter(kind, form)).rejects.toThrow(NeedsOption);
      await expect(enter(kind, form)).rejects.toThrow('--accounts');
    },
  );
});

describe('a sign-in that does not end', () => {
  const form = '<input type=email name=e>';

  it('cannot be tested by the reader of forms, which names the other drivers', async () => {
    await expect(enter('form', form)).rejects.toThrow(CannotTest);
    await expect(enter('form', form)).rejects.toThrow('does not end');
  });

  it.each(['manual', 'browser', 'command'] as const)(
    'is skipped with what to do where the user is %s',
    async (kind) => {
      await expect(enter(kind, form)).rejects.toThrow(NotApplicable);
      await expect(enter(kind, form)).rejects.toThrow('--user form');
    },
  );
});

describe('a page without a form', () => {
  const url = 'https://service.example/claim';

  it('is skipped where the user acts themselves, unless it says that something broke', () => {
    const at = (status: number) =>
      notUnderstood(userOf('manual'), { url, answer: html(status, 'Hello'), forms: [] }, 'No form');
    expect(at(200)).toBeInstanceOf(NotApplicable);
    expect(at(500)).toBeInstanceOf(CannotTest);
  });
});
