import { expect, it } from 'vitest';
import { Answer } from '../../../../src/conformance/http/answer.ts';
import type { Sending } from '../../../../src/conformance/http/http-client.ts';
import { Visitor } from '../../../../src/conformance/pages/visitor.ts';
import { ClaimPageSession } from '../../../../src/conformance/service/steps/claim-page-session.ts';
import { FormUser } from '../../../../src/conformance/user/form-user.ts';
import { EMAIL_ALONE } from '../../../../src/conformance/user/sign-in-means.ts';

const CLAIM = { verificationUri: 'https://service.example/claim' };
const PAGE = `<form method="post" action="/done"><label>Code <input name="user_code"></label>
  <input type="email" name="e"><button name="d" value="yes">Allow</button>
  <button name="d" value="deny">Deny</button></form>`;

it('gives the email of its user to a form that asks for it beside the code', async () => {
  const sent: string[] = [];
  const send = async (_url: string, { body }: Sending) => {
    if (body !== undefined) sent.push(String(body));
    return new Answer(200, [['content-type', 'text/html']], PAGE, 1, sent.length);
  };
  const visitor = () => new Visitor(send);
  const world = { visitor, user: new FormUser(visitor), means: EMAIL_ALONE };
  const session = await ClaimPageSession.open(world, CLAIM, 'alice@example.com');
  await session.approve('ABCD');
  await session.deny();
  expect(sent).toEqual([
    'user_code=ABCD&e=alice%40example.com&d=yes',
    'user_code=&e=alice%40example.com&d=deny',
  ]);
});
