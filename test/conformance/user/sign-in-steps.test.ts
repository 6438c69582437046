import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import type { Sending } from '../../../src/conformance/http/http-client.ts';
import { Visitor } from '../../../src/conformance/pages/visitor.ts';
import type { Account } from '../../../src/conformance/user/accounts.ts';
import { FormUser } from '../../../src/conformance/user/form-user.ts';
import { Mailbox } from '../../../src/conformance/user/read-mail.ts';
import { FakeClock } from '../../../src/runtime/index.ts';

const ORIGIN = 'http://service.test';
const EMAIL = 'alice@example.com';

const EMAIL_PAGE = '<form method="post" action="/email"><input type="email" name="e"></form>';
const PASSWORD_PAGE =
  '<form method="post" action="/password"><input type="password" name="pw"><button>Next</button></form>';
const CODE_PAGE = `<p>Type the code that your agent shows.</p><form method="post" action="/done">
  <input name="user_code"><button name="d" value="yes">Approve</button></form>`;
const MAILED_PAGE = `<title>Check</title><p>We have sent a code to your email.</p>
  <form method="post" action="/mailed"><input name="code"><button>Continue</button></form>`;

interface Site {
  readonly pages: Readonly<Record<string, string>>;
  readonly account?: Partial<Account>;
  /** The newest mail, from one look to the next; the last one stays. */
  readonly mails?: readonly string[];
  readonly patience?: number;
  readonly cookies?: readonly string[];
}

/** Lets the reader of forms approve a claim, and returns what it sent where. */
async function walk({ account, cookies = ['session=1'], mails, pages, patience = 3000 }: Site) {
  const sent: string[] = [];
  const concealed: string[] = [];
  const clock = new FakeClock();
  let looks = 0;
  const send = async (url: string, { body, method = body ? 'POST' : 'GET' }: Sending) => {
    const { pathname } = new URL(url);
    sent.push(`${method} ${pathname}${body === undefined ? '' : ` ${String(body)}`}`);
    const html = pages[pathname] ?? '<p>The end.</p>';
    const headers = cookies.map((line) => ['set-cookie', line] as const);
    return new Answer(200, [['content-type', 'text/html'], ...headers], html, 1, sent.length);
  };
  const mailbox =
    mails &&
    new Mailbox({
      read: async () => mails[Math.min(looks++, mails.length - 1)] ?? '',
      clock,
      sleep: async (ms) => clock.advance(ms),
      patience,
    });
  const user = new FormUser(() => new Visitor(send), {
    account: (email) => (account && email === EMAIL ? { email, ...account } : undefined),
    mailbox,
    conceal: (secret) => concealed.push(secret),
  });
  await user.claim({
    verificationUri: `${ORIGIN}/start`,
    userCode: 'ABCD',
    email: EMAIL,
    decision: 'approve',
  });
  return { sent, concealed, looks };
}

describe('a sign-in of two pages', () => {
  const pages = { '/start': EMAIL_PAGE, '/email': PASSWORD_PAGE, '/password': CODE_PAGE };

  it('takes an email, a password, then the code of the claim', async () => {
    const { sent } = await walk({ pages, account: { password: 'p w&d' } });
    expect(sent).toEqual([
      'GET /start',
      'POST /email e=alice%40example.com',
      'POST /password pw=p+w%26d',
      'POST /done user_code=ABCD&d=yes',
    ]);
  });

  it('that refuses the password is not tried again', async () => {
    const again = { ...pages, '/password': PASSWORD_PAGE };
    await expect(walk({ pages: again, account: { password: 'wrong' } })).rejects.toThrow(
      'asks for the password again: check the one in --accounts',
    );
  });

  it('of which nobody knows the password names the page where it stopped', async () => {
    await expect(walk({ pages })).rejects.toThrow(
      'It stopped at 200 at http://service.test/email, with the form POST /password (pw: password; “Next”).',
    );
  });

  it('is not taken for the one to sign up', async () => {
    const both = `<form method="post" action="/register"><input type="email" name="e"><button>Sign up</button></form>${EMAIL_PAGE}`;
    const { sent } = await walk({
      pages: { ...pages, '/start': both },
      account: { password: 'pass' },
    });
    expect(sent[1]).toBe('POST /email e=alice%40example.com');
  });
});

describe('a sign-in with a mailed code', () => {
  const pages = { '/start': EMAIL_PAGE, '/email': MAILED_PAGE, '/mailed': CODE_PAGE };

  it('types the code of the mail that came, not of the one that was there', async () => {
    const { concealed, sent } = await walk({
      pages,
      mails: ['Your code is 111111.', 'Your code is 111111.', 'Your code is 222222.'],
    });
    expect(sent.slice(2)).toEqual(['POST /mailed code=222222', 'POST /done user_code=ABCD&d=yes']);
    expect(concealed).toEqual(['222222']);
  });

  it('stops where no mail comes within the patience', async () => {
    await expect(walk({ pages, mails: [''] })).rejects.toThrow(
      `No mail with a code came to ${EMAIL} in time`,
    );
  });

  it('looks once where nothing is to be waited for', async () => {
    await expect(walk({ pages, mails: [''], patience: 0 })).rejects.toThrow('No mail');
    const { looks } = await walk({ pages, mails: ['', '123456'], patience: 0 });
    expect(looks).toBe(2);
  });

  it('names --mail-command where no mail can be read', async () => {
    await expect(walk({ pages })).rejects.toThrow('--mail-command');
  });

  it('types the code once', async () => {
    const again = { ...pages, '/mailed': MAILED_PAGE };
    await expect(walk({ pages: again, mails: ['', '123456'] })).rejects.toThrow(
      'did not take the mailed code',
    );
  });

  it('is another one than the code of a claim, whatever mails there are', async () => {
    const claim = { '/start': EMAIL_PAGE, '/email': CODE_PAGE };
    const { sent } = await walk({ pages: claim, mails: ['', 'Your code is 123456.'] });
    expect(sent.at(-1)).toBe('POST /done user_code=ABCD&d=yes');
  });

  it('may come after a password', async () => {
    const { sent } = await walk({
      pages: {
        '/start': EMAIL_PAGE,
        '/email': PASSWORD_PAGE,
        '/password': MAILED_PAGE,
        '/mailed': CODE_PAGE,
      },
      account: { password: 'pass' },
      mails: ['', '123456'],
    });
    expect(sent.slice(2, 4)).toEqual(['POST /password pw=pass', 'POST /mailed code=123456']);
  });
});

describe('a sign-in with a mailed link', () => {
  const LINK = `${ORIGIN}/magic?t=abcdef`;
  const mails = ['', `Hello,\n<a href="${LINK}">Sign in</a>\nhttps://elsewhere.example/help`];
  const CHECK = '<p>Check your inbox: we have sent you a link.</p>';

  it('follows the link, and goes on where the claim began', async () => {
    let opened = 0;
    const pages = {
      get '/start'() {
        opened += 1;
        return opened === 1 ? EMAIL_PAGE : CODE_PAGE;
      },
      '/email': CHECK,
      '/magic': '<p>You are signed in.</p>',
    };
    const { sent } = await walk({ pages, mails });
    expect(sent.slice(2)).toEqual(['GET /magic', 'GET /start', 'POST /done user_code=ABCD&d=yes']);
  });

  it('names --mail-command where no mail can be read', async () => {
    await expect(walk({ pages: { '/start': EMAIL_PAGE, '/email': CHECK } })).rejects.toThrow(
      '--mail-command',
    );
  });
});

describe('a sign-in whose cookie never comes back', () => {
  it('names the cookie that is Secure on a page of plain http', async () => {
    const pages = { '/start': EMAIL_PAGE, '/email': EMAIL_PAGE };
    await expect(walk({ pages, cookies: ['sid=1; Secure; HttpOnly'] })).rejects.toThrow(
      'its cookie sid is Secure and the page is plain http',
    );
  });

  it('names the cookie that is for another host', async () => {
    const pages = { '/start': EMAIL_PAGE, '/email': EMAIL_PAGE };
    await expect(walk({ pages, cookies: ['sid=1; Domain=example.com'] })).rejects.toThrow(
      'its cookie sid names another host in Domain',
    );
  });

  it('says where there is no cookie at all', async () => {
    const pages = { '/start': EMAIL_PAGE, '/email': EMAIL_PAGE };
    await expect(walk({ pages, cookies: [] })).rejects.toThrow('it sets no cookie');
  });

  it('does not accuse a cookie that is no reason', async () => {
    const { sent } = await walk({
      pages: { '/start': EMAIL_PAGE, '/email': CODE_PAGE },
      cookies: ['sid=1; HttpOnly'],
    });
    expect(sent.at(-1)).toBe('POST /done user_code=ABCD&d=yes');
  });
});
