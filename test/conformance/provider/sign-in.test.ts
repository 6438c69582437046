import { describe, expect, it } from 'vitest';
import { NotApplicable } from '../../../src/conformance/engine/judge.ts';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { Visitor } from '../../../src/conformance/pages/visitor.ts';
import { FormProviderUser } from '../../../src/conformance/provider/sign-in.ts';

const URL_OF = 'https://id.example/consent';

/** A user at one page, and what was posted there. */
function userAt(body: string) {
  const posted: string[] = [];
  const send = async (
    url: string,
    { method = 'GET', body: form }: { method?: string; body?: string | Uint8Array } = {},
  ) => {
    if (method === 'POST') posted.push(`${new URL(url).pathname} ${String(form)}`);
    return new Answer(
      200,
      [['content-type', 'text/html']],
      method === 'POST' ? 'Done.' : body,
      0,
      1,
    );
  };
  const user = new FormProviderUser(() => new Visitor(send));
  const decide = (decision: 'approve' | 'deny') =>
    user.consent({ consentUri: URL_OF, email: 'a@b.example', decision });
  return { decide, posted };
}

const button = (name: string, label = name) =>
  `<button name="do" value="${name}">${label}</button>`;
const form = (action: string, inner: string) =>
  `<form method="post" action="${action}"><input type="hidden" name="id" value="7">${inner}</form>`;

describe('the user of a consent page', () => {
  it.each([
    ['one form', form('/consent', button('allow') + button('deny'))],
    ['a form for each', form('/no', button('deny')) + form('/consent', button('allow'))],
    ['approve alone', form('/consent', button('allow', 'Allow access'))],
  ])('approves in %s', async (_what, body) => {
    const { decide, posted } = userAt(body);
    await decide('approve');
    expect(posted).toEqual(['/consent id=7&do=allow']);
  });

  it.each([
    ['one form', form('/no', button('allow') + button('deny'))],
    ['a form for each', form('/consent', button('allow')) + form('/no', button('deny'))],
  ])('denies in %s', async (_what, body) => {
    const { decide, posted } = userAt(body);
    await decide('deny');
    expect(posted).toEqual(['/no id=7&do=deny']);
  });

  it('sends nothing where there is no way to deny', async () => {
    const { decide, posted } = userAt(form('/consent', button('allow')));
    await expect(decide('deny')).rejects.toThrow(NotApplicable);
    expect(posted).toEqual([]);
  });

  it('takes no other button for an approval', async () => {
    const { decide, posted } = userAt(form('/logout', button('logout', 'Sign out')));
    await decide('approve');
    expect(posted).toEqual([]);
  });
});
