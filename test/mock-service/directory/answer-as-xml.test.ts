import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderXml } from '../../../src/mock-service/directory/answer.ts';
import { foldXml, readXml } from '../../support/read-xml.ts';

// XML 1.0 §2.2 leaves them out.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

it.each([
  ['U+0000', '\0'],
  ['a high surrogate alone', 'x\ud800y'],
  ['a low surrogate alone', '\udc00'],
  ['surrogates the wrong way round', '\udc00\ud800'],
])('shows %s as U+FFFD, which no database port would store', async (_what, text) => {
  const xml = readXml(await renderXml({ text }));
  expect(foldXml(xml)).toEqual({ text: text.replace(/[\0\ud800-\udfff]/g, '\ufffd') });
});

it('is well-formed whatever the text, and says it unchanged where XML can', async () => {
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom(
      '&',
      '<',
      '>',
      '"',
      "'",
      ']]>',
      '&amp;',
      '&#0;',
      '&x;',
      '\r',
      '\n',
      ' ',
      '<!--',
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(unit, { maxLength: 12 }), async (units) => {
      const text = units.join('');
      const shown = foldXml(readXml(await renderXml({ text }))) as { text: string };
      expect(shown.text).toBe(text.toWellFormed().replace(FORBIDDEN, '\ufffd'));
    }),
  );
});

it('has no DOCTYPE, no attributes, and a line for each element', async () => {
  expect(await renderXml({ list: [1, null], empty: {}, text: '' })).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<response>',
      '  <list>',
      '    <item>1</item>',
      '    <item></item>',
      '  </list>',
      '  <empty></empty>',
      '  <text></text>',
      '</response>',
    ].join('\n'),
  );
});
