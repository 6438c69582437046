import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { readForms } from '../../../src/conformance/pages/forms.ts';

const URL_OF_PAGE = 'https://service.example/claim?x=1';

function formsOf(html: string, mediaType = 'text/html; charset=utf-8') {
  return readForms(new Answer(200, [['content-type', mediaType]], html, 1, 1), URL_OF_PAGE);
}

describe('the forms of a page', () => {
  it('have absolute actions, their own page by default', () => {
    const forms = formsOf('<form method="post" action="/login"></form><form></form>');
    expect(forms.map(({ action, method }) => [method, action])).toEqual([
      ['POST', 'https://service.example/login'],
      ['GET', URL_OF_PAGE],
    ]);
  });

  it.each([
    ['that names its field', '<label for="c">Code</label><input id="c" name="n">'],
    ['that stands around its field', '<label>Code <input name="n"></label>'],
    ['for those who do not see', '<input name="n" aria-label="Code">'],
    ['that is a placeholder', '<input name="n" placeholder="Code">'],
  ])('know a label %s', (_how, html) => {
    expect(formsOf(`<form>${html}</form>`)[0]?.fields).toMatchObject([{ label: 'Code' }]);
  });

  it('do not take the label of one field for that of another without an id', () => {
    const html = '<form><label for="c">Code</label><input id="c" name="a"><input name="b"></form>';
    expect(formsOf(html)[0]?.fields.map(({ label }) => label)).toEqual(['Code', '']);
  });

  it('would send what a browser would: no button, no empty box, the chosen option', () => {
    const html = `<form>
      <input type="hidden" name="h" value="1"><input name="t" value="x"><textarea name="a">y</textarea>
      <input type="checkbox" name="off" value="1"><input type="checkbox" name="on" value="1" checked>
      <input type="radio" name="r" value="no"><input type="radio" name="r" value="yes" checked>
      <select name="s"><option value="1">One</option><option value="2" selected>Two</option></select>
      <button name="b" value="1">Go</button></form>`;
    expect(formsOf(html)[0]?.values).toEqual({ h: '1', t: 'x', a: 'y', on: '1', r: 'yes', s: '2' });
  });

  it('are none in what is no HTML', () => {
    expect(formsOf('<form></form>', 'text/plain')).toEqual([]);
  });
});
