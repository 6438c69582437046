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

  it('have the fields and buttons that stand elsewhere and name them', () => {
    const html = `<form id="f" method="post" action="/f"><input name="a" value="1"></form>
      <form id="g" action="/g"><input form="f" name="b" value="2"><button>No</button></form>
      <button form="f" name="c" value="3">Yes</button><button>Nowhere</button>`;
    const shown = formsOf(html).map(({ fields, values }) => [
      values,
      fields.filter(({ type }) => type === 'submit').map(({ label }) => label),
    ]);
    expect(shown).toEqual([
      [{ a: '1', b: '2' }, ['Yes']],
      [{}, ['No']],
    ]);
  });

  it('are two where a button sends the form elsewhere', () => {
    const html = `<form method="post" action="/yes"><input name="a" value="1">
      <button name="d" value="y">Allow</button>
      <button name="d" value="n" formaction="/no">Deny</button>
      <button formmethod="get" formaction="/help">Help</button></form>`;
    const shown = formsOf(html).map(({ action, fields, method, values }) => [
      `${method} ${new URL(action).pathname}`,
      values,
      fields.flatMap(({ label, type }) => (type === 'submit' ? [label] : [])),
    ]);
    expect(shown).toEqual([
      ['POST /yes', { a: '1' }, ['Allow']],
      ['POST /no', { a: '1' }, ['Deny']],
      ['GET /help', { a: '1' }, ['Help']],
    ]);
  });

  it('leave out what is disabled, and know the base of the page', () => {
    const html = `<base href="/sub/"><form action="go"><input name="a" value="1" disabled>
      <fieldset disabled><input name="b" value="2"></fieldset><input name="c" value="3"></form>`;
    expect(formsOf(html)).toMatchObject([
      { action: 'https://service.example/sub/go', values: { c: '3' } },
    ]);
  });
});
