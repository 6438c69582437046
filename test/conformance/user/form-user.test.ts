import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import type { Sending } from '../../../src/conformance/http/http-client.ts';
import { Visitor } from '../../../src/conformance/pages/visitor.ts';
import { FormUser } from '../../../src/conformance/user/form-user.ts';
import type { ClaimTask } from '../../../src/conformance/user/user.ts';

const ORIGIN = 'https://service.example';
const CODE_PAGE = `<form method="post" action="/done"><label>Code <input name="c"></label>
  <button name="d" value="yes">Allow</button><button name="d" value="refuse">Refuse</button></form>`;

const TASK: ClaimTask = {
  verificationUri: `${ORIGIN}/start`,
  userCode: 'ABCD',
  email: 'alice@example.com',
  decision: 'approve',
};

/** Lets the form reader go through pages, and returns what it sent where. */
async function walk(pages: Readonly<Record<string, string>>, task: Partial<ClaimTask> = {}) {
  const sent: string[] = [];
  const send = async (url: string, { body }: Sending) => {
    const { pathname } = new URL(url);
    if (body !== undefined) sent.push(`${pathname} ${String(body)}`);
    const html = pages[pathname] ?? '<p>The end.</p>';
    return new Answer(200, [['content-type', 'text/html']], html, 1, sent.length);
  };
  const report = await new FormUser(() => new Visitor(send)).claim({ ...TASK, ...task });
  return { sent, report };
}

describe('the reader of forms', () => {
  it('signs in and types the code', async () => {
    const { report, sent } = await walk({
      '/start':
        '<form method="post" action="/in"><input type="hidden" name="t" value="1"><input type="email" name="e"></form>',
      '/in': CODE_PAGE,
    });
    expect(sent).toEqual(['/in t=1&e=alice%40example.com', '/done c=ABCD&d=yes']);
    expect(report.text).toContain('The end.');
  });

  it('gives the email, too, to a form that asks for it beside the code', async () => {
    const page = `<form method="post" action="/done"><label>Code <input name="user_code"></label>
      <input type="email" name="e"><button name="d" value="yes">Allow</button></form>`;
    const { sent } = await walk({ '/start': page });
    expect(sent).toEqual(['/done user_code=ABCD&e=alice%40example.com&d=yes']);
  });

  it('denies with the button for it, without a code', async () => {
    const { sent } = await walk({ '/start': CODE_PAGE }, { decision: 'deny', userCode: '' });
    expect(sent).toEqual(['/done c=&d=refuse']);
  });

  it('denies by the form that is there for it', async () => {
    const page = `<form method="post" action="/done"><input name="code"><button>Allow</button></form>
      <form method="post" action="/no"><input type="hidden" name="t" value="1"><button>Deny</button></form>`;
    const { sent } = await walk({ '/start': page }, { decision: 'deny' });
    expect(sent).toEqual(['/no t=1']);
  });

  it('denies by a choice', async () => {
    const page = `<form method="post" action="/done"><input name="code">
      <label><input type="radio" name="d" value="approve" checked> Approve</label>
      <label><input type="radio" name="d" value="deny"> Deny</label><button>Send</button></form>`;
    const { sent } = await walk({ '/start': page }, { decision: 'deny', userCode: '' });
    expect(sent).toEqual(['/done code=&d=deny']);
  });

  it('confirms who they are, in a step of its own', async () => {
    const { sent } = await walk({
      '/start': '<form method="post" action="/in"><input type="email" name="e"></form>',
      '/in': `<form method="post" action="/out"><button>Not me</button></form>
        <form method="post" action="/yes"><button>Yes, that is me</button></form>`,
      '/yes': CODE_PAGE,
    });
    expect(sent.map((line) => line.split(' ')[0])).toEqual(['/in', '/yes', '/done']);
  });

  it('signs out of nothing, and ends nothing, on the way', async () => {
    const { sent } = await walk({
      '/start': '<form method="post" action="/in"><input type="email" name="e"></form>',
      '/in': `<form method="post" action="/logout"><button>Leave</button></form>
        <form method="post" action="/agents"><button>End</button></form>`,
    });
    expect(sent).toEqual(['/in e=alice%40example.com']);
  });

  it('types no password that nobody named, and says what else there is', async () => {
    const page =
      '<form method="post" action="/in"><input type="email" name="e"><input type="password" name="p"></form>';
    await expect(walk({ '/start': page })).rejects.toThrow(/--accounts, or use --user manual/);
  });

  it('does not go round in a sign-in for ever', async () => {
    const page = '<form method="post" action="/start"><input type="email" name="e"></form>';
    await expect(walk({ '/start': page })).rejects.toThrow('does not end');
  });
});
