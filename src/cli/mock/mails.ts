import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { displayText } from '../../protocol/text.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import { callControl } from './controls/call-control.ts';
import { findMock } from './controls/find-mocks.ts';

export interface MockMailsOptions {
  readonly to?: string;
}

/** What the running mock service sent by mail, newest first. */
export async function mockMails(context: Context, { to }: MockMailsOptions): Promise<Outcome> {
  const target = await findMock(context, 'service');
  const query = to === undefined ? '' : `?to=${encodeURIComponent(to)}`;
  const { mails } = await callControl(context, target, `/mails${query}`);
  const list = Array.isArray(mails) ? mails.filter(isJsonObject) : [];
  context.output.result(presentMails(target.issuer, list));
  return 'done';
}

function presentMails(issuer: string, mails: readonly JsonObject[]): Rendering {
  return {
    schema: 'mockMails',
    json: () => ({ service: issuer, mails }),
    human: (style) =>
      mails.length === 0
        ? `The service at ${issuer} has sent no mail.`
        : mails
            .map(({ sent_at: sentAt, subject, text, to }) =>
              [
                style.bold(displayText(String(subject), 200)),
                facts(style, [
                  ['to', displayText(String(to), 200)],
                  ['sent', displayText(String(sentAt), 40)],
                ]),
                ...String(text)
                  .split('\n')
                  .filter((line) => line !== '')
                  .map((line) => `  ${displayText(line, 300)}`),
              ].join('\n'),
            )
            .join('\n\n'),
  };
}
