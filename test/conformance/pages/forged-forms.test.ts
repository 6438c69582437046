import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { bareAction, tokenNames } from '../../../src/conformance/pages/forged-forms.ts';
import { type PageForm, readForms } from '../../../src/conformance/pages/forms.ts';

function formOf(html: string): PageForm {
  const answer = new Answer(200, [['content-type', 'text/html']], html, 1, 1);
  const [form] = readForms(answer, 'https://service.example/claim');
  if (form === undefined) throw new Error('It has no form.');
  return form;
}

const page = (token: string) =>
  formOf(`<form method="post" action="/done?claim=1&amp;t=${token}">
    <input type="hidden" name="anything" value="${token}"><input type="hidden" name="attempt" value="x">
    <input name="code"></form>`);

describe('the tokens of a form', () => {
  it('are whatever differs in two sessions, in fields and in the URL', () => {
    expect(tokenNames(page('one'), page('two'))).toEqual(['anything', 't']);
  });

  it('are none where everything is the same', () => {
    expect(tokenNames(page('one'), page('one'))).toEqual([]);
  });

  it('are not known to another site', () => {
    const { action } = page('one');
    expect(bareAction(action, ['anything', 't'])).toBe('https://service.example/done?claim=1');
    expect(bareAction(action, ['anything'])).toBe(action);
  });
});
